// Translates groups to numbers on the node, and caches them as attributes, which go with the communicator.
// SPDX-License-Identifier: BSD-3-Clause
#include "race/mpi/ranks.hpp"

#include <algorithm>
#include <mutex>
#include <numeric>

#include "interpose/spin_lock.hpp"
#include "race/model/job.hpp"
#include "race/mpi/neighbours.hpp"

namespace atrium::race {
namespace {

int comm_key = MPI_KEYVAL_INVALID, win_key = MPI_KEYVAL_INVALID;
MPI_Group world = MPI_GROUP_NULL;
// Of two threads that see a communicator or window for the first time, the second would free what the first has found.
SpinLock attributes_lock;
std::vector<int>& number_in_world = *new std::vector<int>;  // by rank of the world

int drop_of_comm(MPI_Comm, int, void* value, void*) { return delete static_cast<Ranks*>(value), MPI_SUCCESS; }
int drop_of_win(MPI_Win, int, void* value, void*) { return delete static_cast<Ranks*>(value), MPI_SUCCESS; }

uint64_t mixed(uint64_t hash, uint64_t word) { return (hash ^ word) * 0x9e3779b97f4a7c15u; }

uint64_t hash_of(const std::vector<int>& ranks) {
  uint64_t hash = ranks.size();
  for (const int rank : ranks) hash = mixed(hash, static_cast<uint64_t>(rank));
  return hash;
}

uint32_t name_of(uint64_t hash) { return static_cast<uint32_t>(hash >> 32) & ~RanksHere::parts; }

// The members by their ranks in the world; the group goes.
std::vector<int> in_world(MPI_Group group) {
  int size = 0;
  PMPI_Group_size(group, &size);
  std::vector<int> ranks(static_cast<size_t>(size)), found(ranks.size());
  std::iota(ranks.begin(), ranks.end(), 0);
  PMPI_Group_translate_ranks(group, size, ranks.data(), world, found.data());
  PMPI_Group_free(&group);
  return found;
}

std::vector<int> on_this_node(const std::vector<int>& ranks) {
  std::vector<int> numbers;
  for (const int rank : ranks)
    numbers.push_back(rank < 0 ? elsewhere : number_in_world[static_cast<size_t>(rank)]);
  return numbers;
}

bool has_others(const std::vector<int>& numbers) {
  return std::find(numbers.begin(), numbers.end(), elsewhere) != numbers.end();
}

Ranks ranks_of_group(MPI_Group group) {
  auto found = std::make_shared<RanksHere>();
  PMPI_Group_rank(group, &found->rank);
  const std::vector<int> ranks = in_world(group);
  found->members = on_this_node(ranks);
  found->is_here = !has_others(found->members);
  found->name = name_of(hash_of(ranks));
  return found;
}

// Both sides find the same name.
void add_remote_group(RanksHere& found, MPI_Comm comm) {
  MPI_Group local, remote;
  PMPI_Comm_group(comm, &local);
  PMPI_Comm_remote_group(comm, &remote);
  const std::vector<int> ours = in_world(local), theirs = in_world(remote);
  found.is_inter = true;
  found.members = on_this_node(theirs);
  found.is_here = found.is_here && !has_others(found.members);
  found.name = name_of(hash_of(ours) + hash_of(theirs));
}

Ranks ranks_of_new(MPI_Comm comm) {
  MPI_Group group;
  int is_inter = 0;
  PMPI_Comm_group(comm, &group);
  const Ranks found = ranks_of_group(group);
  PMPI_Comm_test_inter(comm, &is_inter);
  if (is_inter)
    add_remote_group(*found, comm);
  else
    find_neighbours(comm, found->before, found->behind);
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

Ranks ranks_of(MPI_Comm comm) {
  if (comm == MPI_COMM_NULL) return nullptr;
  std::lock_guard guard(attributes_lock);
  void* known = nullptr;
  int has = 0;
  PMPI_Comm_get_attr(comm, comm_key, static_cast<void*>(&known), &has);
  if (has) return *static_cast<Ranks*>(known);
  auto* const found = new Ranks(ranks_of_new(comm));
  PMPI_Comm_set_attr(comm, comm_key, found);
  return *found;
}

void name_communicator(MPI_Comm made, const RanksHere& parent, uint32_t meeting) {
  if (const Ranks ranks = ranks_of(made))
    ranks->name = name_of(mixed(mixed(uint64_t{ranks->name} << 32, parent.name), meeting));
}

Ranks ranks_of_win(MPI_Win win) {
  if (win == MPI_WIN_NULL) return nullptr;
  std::lock_guard guard(attributes_lock);
  void* known = nullptr;
  int has = 0;
  PMPI_Win_get_attr(win, win_key, static_cast<void*>(&known), &has);
  if (has) return *static_cast<Ranks*>(known);
  MPI_Group group;
  PMPI_Win_get_group(win, &group);
  auto* const found = new Ranks(ranks_of_group(group));
  PMPI_Win_set_attr(win, win_key, found);
  return *found;
}

}  // namespace atrium::race
