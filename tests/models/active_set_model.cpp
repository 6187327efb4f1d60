// How the members of an active set find each other's blocks (src/team/active_set): nobody meets, each looks into the
// others' directories until they have entered theirs, and then reads what was written before. Directories on other nodes
// are fetched by leaders, which meets a key and its offset in any order, and who enters counts at those who are there. Then
// leaders can meet.
// SPDX-License-Identifier: BSD-3-Clause
//
// Models: SYNC active-set
#include "model.hpp"
#include "team/active_set.cpp"
#include "team/block_offsets.cpp"
#include "topology/placement.cpp"

namespace atrium {

// Nobody is far away on a node: who is not in a team's table is on another one.
static const ptrdiff_t elsewhere[] = {ATRIUM_AWAY, ATRIUM_AWAY, ATRIUM_AWAY, ATRIUM_AWAY};
Arena arena{.system_delta = elsewhere};
bool far_peers_exist = false;

namespace {

constexpr int most_pes = 3;

// Each thread is a PE, whose directory and blocks lie one after the other, so that a delta leads to a peer's.
struct Memory {
  Memory() {
    for (int pe = 0; pe < most_pes; ++pe) {
      directories[pe].entries = pes[pe].entries;
      directories[pe].news = &pes[pe].news;
    }
  }
  struct {
    DirectoryEntry entries[8];
    Epoch news;
    uint64_t blocks[2];  // of two sets: what is in them is written before the entry
    int blocks_used = 0;
    Epoch told = 0;      // of the set that spans nodes, where its block is
  } pes[most_pes] = {};  // no offsets of the execution before
  SetDirectory directories[most_pes];
  ptrdiff_t deltas[most_pes][most_pes];
  int nodes[most_pes] = {};
};
struct OnTwoNodes : Memory {
  OnTwoNodes() {
    nodes[1] = nodes[2] = 1;
    set_placement(Placement(0, {0, 1, 1}));
  }
};
Memory* memory = nullptr;
uint64_t mark_of(int pe, int block) { return static_cast<uint64_t>(100 + 10 * pe + block); }

}  // namespace

// Stand in front of the real ones: numbers and tables, of which src/team/draft.cpp makes a team.
Team world;
Team& world_team = world;
ParkSlot* my_park_slot = nullptr;

// Sets that cannot be made, and PEs outside of them, have no part here.
void fatal(const Error&, int) { model::never_called(); }
void warn(const std::string&) { model::never_called(); }
void refuse_uninitialised() { model::never_called(); }
bool wants_checks() { model::never_called(); }
uint64_t caller_in_program() { model::never_called(); }
std::string line_in_program(uint64_t) { model::never_called(); }
ptrdiff_t name_peer(int, const ptrdiff_t&) { model::never_called(); }
Error Draft::refusal(const std::string&) const { model::never_called(); }

bool fits_into(const TeamShape&, int) { return true; }
void TeamDeleter::operator()(Team* team) const { delete team; }

Draft::Draft(Team&, const TeamShape& shape, const shmem_team_config_t&) : shape_(shape), team_(new Team) {
  const int me = model::this_thread();
  auto& mine = memory->pes[me];
  team_->size = shape.size;
  for (int member = 0; member < shape.size; ++member) {
    const int pe = parent_number(member);
    const bool is_here = memory->nodes[pe] == memory->nodes[me];
    memory->deltas[me][member] =
        is_here ? reinterpret_cast<intptr_t>(&memory->pes[pe]) - reinterpret_cast<intptr_t>(&mine)
                : ATRIUM_AWAY;
    team_->spans_nodes |= !is_here;
    if (pe == me) team_->me = member;
  }
  if (team_->spans_nodes) {
    std::vector<int> nodes;
    for (int member = 0; member < shape.size; ++member) nodes.push_back(memory->nodes[parent_number(member)]);
    team_->nodes = std::make_shared<TeamNodes>();
    team_->nodes->members = Placement(team_->me, nodes);
    team_->nodes->me = team_->nodes->members.node();
    team_->nodes->node.me = team_->nodes->members.place();
  }
  team_->start = shape.start;
  team_->stride = shape.stride;
  team_->delta = memory->deltas[me];
  uint64_t& block = mine.blocks[mine.blocks_used];
  model::plain_write(&block, sizeof block);
  team_->block = reinterpret_cast<TeamBlock*>(&block);
  block = mark_of(me, mine.blocks_used++);
}

int64_t Draft::offset_from(const void* base) const {
  const auto& mine = memory->pes[model::this_thread()];
  return reinterpret_cast<intptr_t>(&mine.blocks[mine.blocks_used - 1]) - reinterpret_cast<intptr_t>(base);
}
Team* Draft::complete() { return team_.release(); }
void wake_members(const Team&) {}

// What the other node's CPU does: it copies a directory from its last place, and counts.
void read_from(const Team& team, int member, void* dest, const void*, size_t) {
  auto* copy = static_cast<DirectoryEntry*>(dest);
  const auto& theirs = memory->pes[team.world_pe(member)].entries;
  for (int i = 2; i >= 0; --i) {
    copy[i].offset = theirs[i].offset;
    copy[i].key.store(theirs[i].key.load(std::memory_order_acquire), std::memory_order_relaxed);
  }
}
namespace detail {
void add_away(const Team& team, int member, const Epoch&) {
  memory->pes[team.world_pe(member)].news.fetch_add(1, std::memory_order_release);
}
}  // namespace detail

namespace {

// The block itself: an address of mine leads to one on another node.
const uint64_t* block_of(const Team& team, int member) {
  const auto* found = reinterpret_cast<const std::byte*>(&team.block_of(member));
  if (team.is_here(member)) return reinterpret_cast<const uint64_t*>(found);
  const auto* mine = reinterpret_cast<const std::byte*>(&memory->pes[model::this_thread()]);
  const auto* theirs = reinterpret_cast<const std::byte*>(&memory->pes[team.world_pe(member)]);
  return reinterpret_cast<const uint64_t*>(theirs + (found - mine));
}

// Every member has found every block, and sees what its owner has made of it. `block`: of each its first or second.
void expect_blocks(const Team& team, int start, int stride, int block) {
  for (int member = 0; member < team.size; ++member) {
    const int pe = start + member * stride;
    const uint64_t* found = block_of(team, member);
    MODEL_REQUIRE(found == &memory->pes[pe].blocks[block]);
    model::plain_read(found, sizeof *found);
    MODEL_REQUIRE(*found == mark_of(pe, block));
  }
}

}  // namespace

// Leaders write into the blocks of leaders, and members of a node into each other's.
PublishedByNodes publish_at_leaders(Team& team, const Publication& mine) {
  const auto& me = memory->pes[model::this_thread()];
  const ptrdiff_t block =
      reinterpret_cast<const uint64_t*>(team.block) - me.blocks;  // each one's first or second
  const auto expect_block = [&](int member) {
    const uint64_t* found = block_of(team, member);
    MODEL_REQUIRE(found == &memory->pes[team.world_pe(member)].blocks[block]);
    model::plain_read(found, sizeof *found);
  };
  for (const int member : team.nodes->members.pes_here()) expect_block(member);
  if (team.nodes->node.me == 0) expect_block(team.nodes->members.pes_of(1 - team.nodes->me)[0]);
  PublishedByNodes all;
  memory->pes[model::this_thread()].told.store(static_cast<uint64_t>(mine.offset[0]),
                                               std::memory_order_release);
  for (int member = 0; member < team.size; ++member) {
    const int pe = team.world_pe(member);
    const Epoch& told = memory->pes[pe].told;
    wait_for(WaitReason{WaitKind::collective}, [&] { return told.load(std::memory_order_acquire) != 0; });
    all.offsets[0].add({memory->nodes[pe], placement.place_of(pe),
                        static_cast<int64_t>(told.load(std::memory_order_relaxed))});
  }
  all.offsets[0].complete();
  return all;
}
void connect_on_nodes(const Team&) {}

namespace {

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
       model::scenario<Memory>("every other PE enters", 3, every_other_enters),
       model::scenario<OnTwoNodes>(
           "two PEs of two nodes enter a set", 2,
           [](Memory& shared, int thread) { enter_a_set(shared, thread, 0, 0, 2, 0); }),
       model::scenario<OnTwoNodes>("it is their second set, on two nodes", 2, two_enter_their_own_and_one),
       model::scenario<OnTwoNodes>("three PEs of two nodes enter a set", 3, all_enter)},
      {{"replaced/mutex", "", "one thread of each PE comes here"}}, argc, argv);
}
