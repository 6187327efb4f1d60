// Entries that the members of a group fill in turns for each other (race/shadow/turn.hpp, as race/openshmem/meeting.cpp uses them):
// whoever reads one finds what its owner wrote for this collective, and nobody writes while somebody reads.
// SPDX-License-Identifier: BSD-3-Clause
//
// Models: SYNC race-entered race-left
#include "model.hpp"
#include "race/shadow/turn.hpp"
#include "wait/wait.hpp"

namespace atrium::race {
namespace {

constexpr uint64_t collectives = meeting_depth + 1;  // the last one uses an entry again

template <int members>
struct Group {
  struct Entry {
    Turn turn;
    uint64_t clock = 0;
  } entries[meeting_depth][members];
};

// All clocks are taken, as in a barrier, or that of member 0, as in a broadcast.
template <int members, bool hears_all>
void collect(Group<members>& group, int me) {
  for (uint64_t number = 1; number <= collectives; ++number) {
    auto& entries = group.entries[number % meeting_depth];
    for (int rank = 0; number > meeting_depth && rank < members; ++rank)
      wait_for(WaitReason{}, [&] { return entries[rank].turn.was_left_before(number); });
    model::plain_write(&entries[me].clock, sizeof entries[me].clock);
    entries[me].clock = number;
    entries[me].turn.enter(number);
    for (int rank = 0; rank < (hears_all ? members : 1); ++rank) {
      wait_for(WaitReason{}, [&] { return entries[rank].turn.is_entered(number); });
      model::plain_read(&entries[rank].clock, sizeof entries[rank].clock);
      MODEL_REQUIRE(entries[rank].clock == number);
    }
    entries[me].turn.leave(number);
  }
}

}  // namespace
}  // namespace atrium::race

int main(int argc, char** argv) {
  using namespace atrium::race;
  return model::explore_all({model::scenario<Group<2>>("two members read each other", 2, collect<2, true>),
                             model::scenario<Group<3>>("three members read the first", 3, collect<3, false>)},
                            {}, argc, argv);
}
