// Meetings: a dissemination barrier with flags of its own, on which publications may travel.
// SPDX-License-Identifier: BSD-3-Clause
#include "team/meeting.hpp"

#include <algorithm>

#include "team/disseminate.hpp"

namespace atrium {
namespace {

// tell(next, members): before the flag; what I have heard of so far are so many members: me, the one before me, and so on.
template <class Tell>
void meet_telling(Team& team, Tell tell) {
  const uint64_t epoch = ++team.progress.meetings;
  disseminate(team, &TeamBlock::meetings, epoch, [&](int next, int round) {
    tell(next, std::min(1 << round, team.size - (1 << round)));
    raise(team, next, &TeamBlock::meetings, round, epoch);
  });
}

}  // namespace

void meet(Team& team) {
  meet_telling(team, [](int, int) {});
}

// Two halves suffice: who publishes for the second time after this has met everybody in between, and
// everybody has read this half before that meeting.
Assembly::Assembly(Team& team, const Publication& mine)
    : team_(team), half_(static_cast<int>(++team.progress.publications % 2)) {
  Publication* board = team.my_block().board(half_, team.size);
  board[team.me] = mine;
  meet_telling(team, [&](int next, int members) {
    Publication* theirs = team.block_of(next).board(half_, team.size);
    const int first = team.me - members + 1;  // below 0: the last of the team come first
    const int begin = std::max(first, 0);
    const auto bytes = [](int count) { return static_cast<size_t>(count) * sizeof(Publication); };
    write_into(team, next, theirs + begin, board + begin, bytes(team.me - begin + 1));
    if (first < 0)
      write_into(team, next, theirs + team.size + first, board + team.size + first, bytes(-first));
  });
}

const Publication& Assembly::of(int member) const {
  return team_.my_block().board(half_, team_.size)[member];
}

int Assembly::first_refusal() const {
  for (int member = 0; member < team_.size; ++member) {
    if (of(member).refused) return member;
  }
  return -1;
}

TeamBlock* Assembly::block_of(int member, int which) const {
  char* base = reinterpret_cast<char*>(&team_.block_of(member));
  return reinterpret_cast<TeamBlock*>(base + of(member).offset[which]);
}

}  // namespace atrium
