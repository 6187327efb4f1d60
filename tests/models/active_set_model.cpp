// How the members of an active set find each other's blocks (src/team/active_set): nobody meets, each looks into the
// others' directories until they have entered theirs, and then reads what was written before.
// SPDX-License-Identifier: BSD-3-Clause
//
// Models: SYNC active-set
#include "model.hpp"
#include "team/active_set.cpp"

namespace atrium {
namespace {

constexpr int most_pes = 3;

// Each thread is a PE, whose directory and blocks lie one after the other, so that a delta leads to a peer's.
struct Memory {
  Memory() {
    for (int pe = 0; pe < most_pes; ++pe) directories[pe].entries = pes[pe].entries;
  }
  struct {
    DirectoryEntry entries[8];
    uint64_t blocks[2];  // of two sets: what is in them is written before the entry
    int blocks_used = 0;
  } pes[most_pes];
  Directory directories[most_pes];
  ptrdiff_t deltas[most_pes][most_pes];
};
Memory* memory = nullptr;
uint64_t mark_of(int pe, int block) { return static_cast<uint64_t>(100 + 10 * pe + block); }

}  // namespace

// Stand in front of the real ones: numbers and tables, of which src/team/draft.cpp makes a team.
Team world;
Team& world_team = world;
ParkSpot* my_park_spot = nullptr;

bool fits_into(const Shape&, int) { return true; }
void TeamDeleter::operator()(Team* team) const {
  delete[] team->blocks;
  delete team;
}

Draft::Draft(Team&, const Shape& shape, const shmem_team_config_t&) : shape_(shape), team_(new Team) {
  const int me = model::this_thread();
  auto& mine = memory->pes[me];
  team_->size = shape.size;
  team_->blocks = new TeamBlock*[static_cast<size_t>(shape.size)]();
  for (int member = 0; member < shape.size; ++member) {
    memory->deltas[me][member] =
        reinterpret_cast<intptr_t>(&memory->pes[parent_number(member)]) - reinterpret_cast<intptr_t>(&mine);
    if (parent_number(member) == me) team_->me = member;
  }
  team_->delta = memory->deltas[me];
  uint64_t& block = mine.blocks[mine.blocks_used];
  model::plain_write(&block, sizeof block);
  block = mark_of(me, mine.blocks_used++);
}

int64_t Draft::offset_from(const void* base) const {
  const auto& mine = memory->pes[model::this_thread()];
  return reinterpret_cast<intptr_t>(&mine.blocks[mine.blocks_used - 1]) - reinterpret_cast<intptr_t>(base);
}
Team* Draft::complete() { return team_.release(); }
void wake_members(const Team&) {}

namespace {

// Every member has found every block, and sees what its owner has made of it. `block`: of each its first or second.
void expect_blocks(const Team& team, int start, int stride, int block) {
  for (int member = 0; member < team.size; ++member) {
    const auto* found = reinterpret_cast<const uint64_t*>(team.blocks[member]);
    model::plain_read(found, sizeof *found);
    MODEL_REQUIRE(*found == mark_of(start + member * stride, block));
  }
}

void enter_a_set(Memory& shared, int thread, int start, int log_stride, int size, int block) {
  memory = &shared;
  world_team.size = most_pes;
  const Team& team = set_of(shared.directories[thread], start, log_stride, size);
  expect_blocks(team, start, 1 << log_stride, block);
  MODEL_REQUIRE(&set_of(shared.directories[thread], start, log_stride, size) == &team);  // it is known now
}

void all_enter(Memory& shared, int thread) { enter_a_set(shared, thread, 0, 0, 3, 0); }

// Each is a set of its own first, so that what the other one looks for is the second entry.
void two_enter_their_own_and_one(Memory& shared, int thread) {
  enter_a_set(shared, thread, thread, 0, 1, 0);
  enter_a_set(shared, thread, 0, 0, 2, 1);
}

// PE 0 and 2 with a stride of two; PE 1 is not asked.
void every_other_enters(Memory& shared, int thread) {
  if (thread != 1) enter_a_set(shared, thread, 0, 1, 2, 0);
}

}  // namespace
}  // namespace atrium

int main(int argc, char** argv) {
  using namespace atrium;
  return model::explore_all(
      {model::scenario<Memory>("two PEs enter a set", 2,
                               [](Memory& shared, int thread) { enter_a_set(shared, thread, 0, 0, 2, 0); }),
       model::scenario<Memory>("it is their second set", 2, two_enter_their_own_and_one),
       model::scenario<Memory>("three PEs enter a set", 3, all_enter),
       model::scenario<Memory>("every other PE enters", 3, every_other_enters)},
      {{"replaced/mutex", "", "one thread of each PE comes here"}}, argc, argv);
}
