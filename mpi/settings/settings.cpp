// Reads the variables; a bad value is said once, by the job's rank 0 (by every rank where there is no MPI_COMM_WORLD),
// and then ignored.
// SPDX-License-Identifier: BSD-3-Clause
#include "settings/settings.hpp"

#include <cstdio>
#include <cstdlib>
#include <type_traits>

namespace atrium::mpi {
namespace {

Settings read_environment() {
  std::vector<std::string> messages;
  const Settings found =
      parse_settings([](const char* name) -> const char* { return std::getenv(name); }, messages);
  int rank = 0;
  if (has_world()) PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0)
    for (const std::string& message : messages) std::fputs(message.c_str(), stderr);
  return found;
}

}  // namespace

bool has_world() {
  int begun = 0, over = 0;
  PMPI_Initialized(&begun);
  PMPI_Finalized(&over);
  return begun && !over;
}

bool may_ask_about(MPI_Comm comm) { return (comm != MPI_COMM_WORLD && comm != MPI_COMM_SELF) || has_world(); }

const Settings& my_settings() {
  static const Settings found = read_environment();
  return found;
}

int ranks_started_here() {
  for (const char* name : {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS"})
    if (const char* text = std::getenv(name)) return std::atoi(text);
  return 0;
}

Settings agree_on_settings(MPI_Comm comm) {
  static_assert(std::is_trivially_copyable_v<Settings>, "travels as bytes");
  Settings found = my_settings();
  PMPI_Bcast(&found, sizeof found, MPI_BYTE, 0, comm);
  found.file = my_settings().file;
  return found;
}

}  // namespace atrium::mpi
