// The steps of the collectives (src/team, src/coll/steps, src/coll/barrier): nobody leaves early, and what carries data
// is used again only when every reader is past it.
// SPDX-License-Identifier: BSD-3-Clause
//
// Models: SYNC epoch
#include "model.hpp"
#include "team/block_offsets.cpp"
#include "team/flags.cpp"
#include "team/member_barrier.cpp"
#include "topology/placement.cpp"
#define run run_central
#include "coll/barrier/central.cpp"
#undef run
#define run run_dissemination
#include "coll/barrier/dissemination.cpp"
#undef run
#define run run_tree
#include "coll/barrier/tree.cpp"
#undef run
#include "coll/steps/acknowledge.hpp"
#include "coll/steps/exchange.hpp"
#include "coll/steps/fan_out.hpp"
#include "coll/steps/share.hpp"

namespace atrium {

ParkSlot* my_park_slot = nullptr;
void (*barrier)(Team&, uint64_t) = run_dissemination;

// Teams on several nodes have no part here, and nobody sleeps.
Arena arena;
atrium_context collective_context{nullptr, 0};
namespace detail {
WaitPolicy chosen_policy;
void settle_away() { model::never_called(); }
void get_away(const Team&, int, void*, const void*, size_t) { model::never_called(); }
}  // namespace detail
AwayTransport& away_to(int) { model::never_called(); }
void wake(ParkSlot&) { model::never_called(); }
PublishedByNodes publish_at_leaders(Team&, const Publication&) { model::never_called(); }

void synchronise(Team& team) {
  barrier(team, ++team.progress.syncs);
  team.progress.broadcasts_at_sync = team.progress.broadcasts;
}

namespace {

// Blocks of the members, each with what lies behind it, and a word of each member that is no atomic.
template <int members>
struct Memory {
  Memory() {
    for (int member = 0; member < members; ++member) places[member] = &blocks[member].block;
  }
  struct {
    TeamBlock block;
    EagerSlot slots[2 * members];
  } blocks[members];
  TeamBlock* places[members];
  ptrdiff_t deltas[members] = {};
  uint64_t words[members] = {};
};

template <int members>
void join(Team& team, Memory<members>& memory, int thread) {
  team.me = thread;
  team.size = members;
  team.block = memory.places[thread];
  for (int member = 0; member < members; ++member)
    team.set_shift(member, reinterpret_cast<intptr_t>(memory.places[member]) -
                               reinterpret_cast<intptr_t>(memory.places[thread]));
  team.delta = memory.deltas;
}

void write(uint64_t& word, uint64_t value) {
  model::plain_write(&word, sizeof word);
  word = value;
}
uint64_t read(const void* word) {
  model::plain_read(word, sizeof(uint64_t));
  return *static_cast<const uint64_t*>(word);
}

// What was written before a sync is seen after it; what is written after the next one is not read before it.
template <int members, void (*by)(Team&, uint64_t), int times>
void synchronise_members(Memory<members>& memory, int thread) {
  Team team;
  join(team, memory, thread);
  for (uint64_t time = 1; time <= times; ++time) {
    write(memory.words[thread], time);
    by(team, ++team.progress.syncs);
    for (const uint64_t& word : memory.words) MODEL_REQUIRE(read(&word) == time);
    if (time < times) by(team, ++team.progress.syncs);
  }
}

template <int members>
void meet_members(Memory<members>& memory, int thread) {
  Team team;
  join(team, memory, thread);
  write(memory.words[thread], 1);
  member_barrier(team);
  for (const uint64_t& word : memory.words) MODEL_REQUIRE(read(&word) == 1);
}

// Three in a row, so that the first one's places are used again.
template <int members>
void exchange(Memory<members>& memory, int thread) {
  Team team;
  join(team, memory, thread);
  for (uint64_t time = 1; time <= 3; ++time) {
    const uint64_t mine = 10 * time + static_cast<uint64_t>(thread);
    EagerExchange exchange(team);
    exchange.send_all(&mine, sizeof mine);
    for (int step = 1; step < members; ++step) {
      const int member = team.after(step);
      MODEL_REQUIRE(read(exchange.receive(member)) == 10 * time + static_cast<uint64_t>(member));
    }
  }
}

template <int members>
void share(Memory<members>& memory, int thread) {
  Team team;
  join(team, memory, thread);
  for (uint64_t time = 1; time <= 3; ++time) {
    Share share(team, sizeof(uint64_t));
    write(*reinterpret_cast<uint64_t*>(share.mine()), 10 * time + static_cast<uint64_t>(thread));
    share.open();
    for (int member = 0; member < members; ++member)
      MODEL_REQUIRE(read(share.of(member)) == 10 * time + static_cast<uint64_t>(member));
  }
}

// One more than there are places on the way.
void fan_out(Memory<2>& memory, int thread) {
  Team team;
  join(team, memory, thread);
  for (uint64_t time = 1; time <= ring_slots + 1; ++time) {
    FanOut fan_out(team);
    if (thread == 0)
      fan_out.send_all(&time, sizeof time);
    else
      MODEL_REQUIRE(read(fan_out.receive()) == time);
  }
}

void fan_out_from_each(Memory<3>& memory, int thread) {
  Team team;
  join(team, memory, thread);
  for (uint64_t root = 0; root < 3; ++root) {
    FanOut fan_out(team);
    if (thread == static_cast<int>(root))
      fan_out.send_all(&root, sizeof root);
    else
      MODEL_REQUIRE(read(fan_out.receive()) == root);
  }
}

// The owner changes its source when its readers need it no more.
void acknowledge_reads(Memory<2>& memory, int thread) {
  Team team;
  join(team, memory, thread);
  for (uint64_t time = 1; time <= 2; ++time) {
    if (thread == 0) write(memory.words[0], time);
    barrier(team, ++team.progress.syncs);
    if (thread == 0) {
      await_acknowledgements(team, 1);
    } else {
      MODEL_REQUIRE(read(&memory.words[0]) == time);
      acknowledge(team, 0);
    }
  }
}

// Members' publications tell where new blocks lie; used again at the next but one occasion.
template <int members>
void assemble(Memory<members>& memory, int thread) {
  Team team;
  join(team, memory, thread);
  for (int64_t time = 1; time <= 3; ++time) {
    const Publication mine{{100 * time + thread, no_block}, 0};
    const Assembly assembly(team, mine);
    for (int member = 0; member < members; ++member)
      MODEL_REQUIRE(assembly.offset_of(member, 0) == 100 * time + member);
    MODEL_REQUIRE(assembly.first_refusal() == -1);
  }
}

}  // namespace
}  // namespace atrium

int main(int argc, char** argv) {
  using namespace atrium;
  using model::scenario;
  return model::explore_all(
      {scenario<Memory<3>>("dissemination, 3 PEs", 3, synchronise_members<3, run_dissemination, 1>),
       scenario<Memory<2>>("central, 2 PEs, three times", 2, synchronise_members<2, run_central, 2>),
       scenario<Memory<3>>("central, 3 PEs", 3, synchronise_members<3, run_central, 1>),
       scenario<Memory<3>>("tree, 3 PEs", 3, synchronise_members<3, run_tree, 1>),
       scenario<Memory<2>>("exchange, 2 PEs", 2, exchange<2>),
       scenario<Memory<3>>("fan out from each of three", 3, fan_out_from_each),
       scenario<Memory<2>>("acknowledge", 2, acknowledge_reads),
       scenario<Memory<3>>("meeting, 3 PEs", 3, meet_members<3>),
       scenario<Memory<2>>("assembly, 2 PEs", 2, assemble<2>),
       scenario<Memory<4>>("tree, 4 PEs", 4, synchronise_members<4, run_tree, 1>),
       scenario<Memory<4>>("dissemination, 4 PEs", 4, synchronise_members<4, run_dissemination, 1>),
       scenario<Memory<2>>("dissemination, 2 PEs, three times", 2,
                           synchronise_members<2, run_dissemination, 2>),
       scenario<Memory<2>>("share, 2 PEs", 2, share<2>),
       scenario<Memory<2>>("fan out past the ring", 2, fan_out)},
      {}, argc, argv);
}
