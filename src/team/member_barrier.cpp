// A dissemination barrier with flags of its own; members publish before it and read after it.
// SPDX-License-Identifier: BSD-3-Clause
#include "team/member_barrier.hpp"

#include "team/disseminate.hpp"
#include "team/nodes.hpp"
#include "topology/placement.hpp"

namespace atrium {
namespace {

// Two halves suffice: before a member publishes for the second time after this, there was a barrier of all members, and all had read
// this half before it.
int publish_on_node(Team& team, const Publication& mine) {
  const int half = static_cast<int>(++team.progress.publications % 2);
  team.my_block().publications[half] = mine;
  member_barrier(team);
  return half;
}

}  // namespace

void member_barrier(Team& team) {
  const uint64_t epoch = ++team.progress.barriers;
  disseminate(team, &TeamBlock::barriers, epoch,
              [&](int next, int round) { raise(team, next, &TeamBlock::barriers, round, epoch); });
}

void member_barrier_with(Team& team, const Notice& mine) {
  const uint64_t epoch = ++team.progress.barriers;
  disseminate(team, &TeamBlock::barriers, epoch, [&](int next, int round) {
    if (round > 0) return raise(team, next, &TeamBlock::barriers, round, epoch);
    TeamBlock& theirs = team.block_of(next);
    send_with_flag(team, next, theirs.barriers[0], epoch, &theirs.last_call, &mine, sizeof mine);
  });
}

Assembly::Assembly(Team& team, const Publication& mine) : team_(team) {
  if (team.nodes)
    by_nodes_ = publish_at_leaders(team, mine);
  else
    half_ = publish_on_node(team, mine);
}

int Assembly::first_refusal() const {
  if (team_.nodes) return by_nodes_.first_refusal;
  for (int member = 0; member < team_.size; ++member)
    if (team_.block_of(member).publications[half_].refused) return member;
  return -1;
}

int64_t Assembly::offset_of(int member, int which) const {
  if (!team_.nodes) return team_.block_of(member).publications[half_].offset[which];
  const int pe = team_.world_pe(member);
  return by_nodes_.offsets[which].at(placement.node_of(pe), placement.place_of(pe));
}

}  // namespace atrium
