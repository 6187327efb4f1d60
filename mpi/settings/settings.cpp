// Reads the variables; a bad value is said once, by the job's rank 0 (by every rank where there is no MPI_COMM_WORLD),
// and then ignored.
// SPDX-License-Identifier: BSD-3-Clause
#include "settings/settings.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <optional>
#include <type_traits>

namespace atrium::mpi {
namespace {

Settings read_environment() {
  std::vector<std::string> messages;
  const Settings found = parse_settings(getenv, messages);
  int rank = 0;
  if (has_world()) PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0)
    for (const std::string& message : messages) std::fputs(message.c_str(), stderr);
  return found;
}

// What all ranks of the job have agreed on; none where one of them has threads.
struct JobSettings {
  std::mutex lock;
  std::optional<Settings> settings;
};

JobSettings& job() {
  static JobSettings* job = new JobSettings;  // outlives every destructor
  return *job;
}

Settings with_my_file(Settings settings) {
  settings.file = my_settings().file;
  return settings;
}

AgreedSettings agree_for(MPI_Comm comm) {
  Settings found = my_settings();
  PMPI_Bcast(&found, sizeof found, MPI_BYTE, 0, comm);
  return {with_my_file(found), false};
}

// Only rank 0 has bits for the settings, any rank for the threads.
AgreedSettings agree_for_job(MPI_Comm comm) {
  static_assert(std::is_trivially_copyable_v<Settings>, "travels as bytes");
  struct {
    std::byte settings[sizeof(Settings)];
    std::uint64_t threads;
  } together{{}, has_threads()};
  Settings found = my_settings();
  int rank = 0;
  PMPI_Comm_rank(comm, &rank);
  if (rank == 0) std::memcpy(together.settings, &found, sizeof found);
  PMPI_Allreduce(MPI_IN_PLACE, &together, sizeof together, MPI_BYTE, MPI_BOR, comm);
  std::memcpy(static_cast<void*>(&found), together.settings, sizeof found);
  if (together.threads) return {with_my_file(found), false};
  const std::lock_guard guard(job().lock);
  job().settings = found;
  return {with_my_file(found), true};
}

}  // namespace

bool may_ask_about(MPI_Comm comm) { return (comm != MPI_COMM_WORLD && comm != MPI_COMM_SELF) || has_world(); }

const Settings& my_settings() {
  static const Settings found = read_environment();
  return found;
}

std::optional<Settings> settings_of_job() {
  const std::lock_guard guard(job().lock);
  return job().settings;
}

AgreedSettings agree_on_settings(MPI_Comm comm, const std::vector<int>& job_ranks) {
  if (const std::optional<Settings> known = settings_of_job(); known && !job_ranks.empty())
    return {with_my_file(*known), true};
  return static_cast<int>(job_ranks.size()) == ranks_of_job() && !job_ranks.empty() ? agree_for_job(comm)
                                                                                    : agree_for(comm);
}

}  // namespace atrium::mpi
