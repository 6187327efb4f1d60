// Meetings: a dissemination barrier with flags of its own, on which publications may travel.
// SPDX-License-Identifier: BSD-3-Clause
#include "team/meeting.hpp"

#include <algorithm>

#include "team/disseminate.hpp"
#include "team/nodes.hpp"

namespace atrium {
namespace {

// publish(next, members) runs before the flag is raised: it writes what I know so far, which is of so many members: me, the one
// before me, and so on.
template <class Publish>
void meet_publishing(Team& team, Publish publish) {
  const uint64_t epoch = ++team.progress.meetings;
  disseminate(team, &TeamBlock::meetings, epoch, [&](int next, int round) {
    publish(next, std::min(1 << round, team.size - (1 << round)));
    raise(team, next, &TeamBlock::meetings, round, epoch);
  });
}

const Publication* publish_on_node(Team& team, int half, const Publication& mine) {
  Publication* board = team.my_block().board(half, team.size);
  board[team.me] = mine;
  meet_publishing(team, [&](int next, int members) {
    Publication* theirs = team.block_of(next).board(half, team.size);
    const int first = team.me - members + 1;  // below 0: the last of the team come first
    const int begin = std::max(first, 0);
    const auto bytes = [](int count) { return static_cast<size_t>(count) * sizeof(Publication); };
    write_into(team, next, theirs + begin, board + begin, bytes(team.me - begin + 1));
    if (first < 0)
      write_into(team, next, theirs + team.size + first, board + team.size + first, bytes(-first));
  });
  return board;
}

}  // namespace

void meet(Team& team) {
  meet_publishing(team, [](int, int) {});
}

// Two halves suffice: who publishes for the second time after this has met everybody in between, and
// everybody has read this half before that meeting.
Assembly::Assembly(Team& team, const Publication& mine) : team_(team) {
  const int half = static_cast<int>(++team.progress.publications % 2);
  board_ = team.nodes ? publish_at_leader(team, half, mine) : publish_on_node(team, half, mine);
}

const Publication& Assembly::of(int member) const {
  return board_[team_.nodes ? team_.nodes->position(member) : member];
}
int Assembly::first_refusal() const {
  for (int member = 0; member < team_.size; ++member) {
    if (of(member).refused) return member;
  }
  return -1;
}

ptrdiff_t Assembly::shift_of(int member, int which) const {
  const ptrdiff_t of_parent = team_.shifts.empty() ? 0 : team_.shifts[static_cast<size_t>(member)];
  return of_parent + of(member).offset[which] - of(team_.me).offset[which];
}

}  // namespace atrium
