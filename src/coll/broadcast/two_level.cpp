// Broadcast on two levels: from the root to the leaders of the domains, from each leader to its neighbours.
// SPDX-License-Identifier: BSD-3-Clause
//
// Little data rides in the letters. More is read: a letter says that the sender's copy is complete, the
// reader thanks when it needs it no more, and nobody leaves before its readers have thanked.
#include "coll/broadcast/broadcast.hpp"
#include "coll/steps/domain_tree.hpp"
#include "coll/steps/fan_out.hpp"
#include "coll/steps/thank.hpp"
#include "copy/copy.hpp"

namespace atrium {

static void run(Team& team, void* dest, const void* source, size_t bytes, int root) {
  FanOut fan_out(team);
  const LeaderTree leaders(team, root);
  const int leader = leaders.leader_of(team.me);
  const bool in_letters = bytes <= payload_bytes;
  if (team.me != root) {
    const int parent = team.me == leader ? leaders.parent() : leader;
    const void* theirs = team.there(parent == root ? source : static_cast<const void*>(dest), parent);
    const std::byte* payload = fan_out.receive();
    copy(dest, in_letters ? payload : theirs, bytes);
    if (!in_letters) thank(team, parent);
  }
  if (team.me != leader) return;
  const void* data = team.me == root ? source : dest;
  int readers = 0;
  for_each_child(team, leaders, [&](int child) {
    fan_out.send(child, data, in_letters ? bytes : 0);
    ++readers;
  });
  if (!in_letters) await_thanks(team, readers);
}

constinit const BroadcastAlgorithm broadcast_by::two_level{"two_level", run};

}  // namespace atrium
