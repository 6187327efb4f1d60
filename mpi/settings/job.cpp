// Asks the MPI about MPI_COMM_WORLD, and the launcher.
// SPDX-License-Identifier: BSD-3-Clause
#include "settings/job.hpp"

#include <algorithm>
#include <numeric>

#include "atrium_pretended_nodes.h"

namespace atrium::mpi {
namespace {

constexpr const char* ranks_here[] = {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS", nullptr};
constexpr const char* rank_in_world[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "SLURM_PROCID",
                                         nullptr};

}  // namespace

bool has_world() {
  int begun = 0, over = 0;
  PMPI_Initialized(&begun);
  PMPI_Finalized(&over);
  return begun && !over;
}

bool has_threads() {
  int level = MPI_THREAD_SINGLE;
  PMPI_Query_thread(&level);
  return level == MPI_THREAD_MULTIPLE;
}

int ranks_of_job() {
  int ranks = 0;
  if (has_world()) PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
  return ranks;
}

std::vector<int> ranks_elsewhere(MPI_Comm comm, int count, MPI_Comm elsewhere) {
  MPI_Group members = MPI_GROUP_NULL, others = MPI_GROUP_NULL;
  PMPI_Comm_group(comm, &members);
  PMPI_Comm_group(elsewhere, &others);
  std::vector<int> ranks(static_cast<std::size_t>(count)), found(ranks.size(), MPI_UNDEFINED);
  std::iota(ranks.begin(), ranks.end(), 0);
  PMPI_Group_translate_ranks(members, count, ranks.data(), others, found.data());
  PMPI_Group_free(&members);
  PMPI_Group_free(&others);
  return found;
}

std::vector<int> ranks_in_job(MPI_Comm comm) {
  if (!has_world()) return {};
  int size = 0;
  PMPI_Comm_size(comm, &size);
  const std::vector<int> found = ranks_elsewhere(comm, size, MPI_COMM_WORLD);
  return std::ranges::find(found, MPI_UNDEFINED) == found.end() ? found : std::vector<int>{};
}

int rank_by_launcher() { return atrium_number_of_launcher(rank_in_world, 0); }
int ranks_started_here() { return atrium_number_of_launcher(ranks_here, 0); }
int rank_started_here() { return atrium_number_on_machine(); }

}  // namespace atrium::mpi
