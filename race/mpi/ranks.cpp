// Translates groups to numbers on the node, and caches them as attributes, which go with the communicator.
// SPDX-License-Identifier: BSD-3-Clause
#include "race/mpi/ranks.hpp"

#include <algorithm>
#include <mutex>
#include <numeric>

#include "interpose/spin_lock.hpp"
#include "race/model/job.hpp"

namespace atrium::race {
namespace {

int comm_key = MPI_KEYVAL_INVALID, win_key = MPI_KEYVAL_INVALID;
MPI_Group world = MPI_GROUP_NULL;
// Of two threads that see a communicator or window for the first time, the second would free what the first has found.
SpinLock attributes_lock;
std::vector<int>& number_in_world = *new std::vector<int>;  // by rank of the world

int drop_of_comm(MPI_Comm, int, void* value, void*) {
  return delete static_cast<RanksHere*>(value), MPI_SUCCESS;
}
int drop_of_win(MPI_Win, int, void* value, void*) {
  return delete static_cast<RanksHere*>(value), MPI_SUCCESS;
}

size_t place_of(const std::vector<int>& ranks) {
  uint64_t hash = ranks.size();
  for (const int rank : ranks) hash = (hash ^ static_cast<uint64_t>(rank)) * 0x9e3779b97f4a7c15u;
  return static_cast<size_t>(hash >> 32) % group_places;
}

RanksHere* translated(MPI_Group group) {
  auto* found = new RanksHere;
  int size = 0;
  PMPI_Group_size(group, &size);
  PMPI_Group_rank(group, &found->rank);
  std::vector<int> ranks(static_cast<size_t>(size)), in_world(ranks.size());
  std::iota(ranks.begin(), ranks.end(), 0);
  PMPI_Group_translate_ranks(group, size, ranks.data(), world, in_world.data());
  PMPI_Group_free(&group);
  for (const int rank : in_world)
    found->members.push_back(rank < 0 ? elsewhere : number_in_world[static_cast<size_t>(rank)]);
  found->is_here = std::find(found->members.begin(), found->members.end(), elsewhere) == found->members.end();
  found->place = place_of(in_world);
  return found;
}

}  // namespace

void learn_numbers() {
  int size = 0;
  PMPI_Comm_group(MPI_COMM_WORLD, &world);
  PMPI_Group_size(world, &size);
  number_in_world.assign(static_cast<size_t>(size), elsewhere);
  for (int pe = 0; pe < job.pes; ++pe) number_in_world[static_cast<size_t>(job.numbers[pe])] = pe;
  PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, drop_of_comm, &comm_key, nullptr);
  PMPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, drop_of_win, &win_key, nullptr);
}

RanksHere* ranks_of(MPI_Comm comm) {
  if (comm == MPI_COMM_NULL) return nullptr;
  std::lock_guard guard(attributes_lock);
  void* known = nullptr;
  int has = 0, inter = 0;
  PMPI_Comm_get_attr(comm, comm_key, &known, &has);
  if (has) return static_cast<RanksHere*>(known);
  PMPI_Comm_test_inter(comm, &inter);
  if (inter) return nullptr;
  MPI_Group group;
  PMPI_Comm_group(comm, &group);
  RanksHere* const found = translated(group);
  PMPI_Comm_set_attr(comm, comm_key, found);
  return found;
}

RanksHere* ranks_of_win(MPI_Win win) {
  if (win == MPI_WIN_NULL) return nullptr;
  std::lock_guard guard(attributes_lock);
  void* known = nullptr;
  int has = 0;
  PMPI_Win_get_attr(win, win_key, &known, &has);
  if (has) return static_cast<RanksHere*>(known);
  MPI_Group group;
  PMPI_Win_get_group(win, &group);
  RanksHere* const found = translated(group);
  PMPI_Win_set_attr(win, win_key, found);
  return found;
}

}  // namespace atrium::race
