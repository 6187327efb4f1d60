// Broadcast on two levels: from the root to the leaders of the domains, from each leader to its neighbours.
// SPDX-License-Identifier: BSD-3-Clause
//
// Little data rides in the letters. More is read: a letter says that the sender's copy is complete, the
// reader thanks when it needs it no more, and nobody leaves before its readers have thanked.
#include "coll/broadcast/broadcast.hpp"
#include "coll/steps/domain_tree.hpp"
#include "coll/steps/fan_out.hpp"
#include "coll/steps/thank.hpp"

namespace atrium {

static void receive(Team& team, const Broadcast& task, int parent, FanOut& fan_out, bool in_letter) {
  const void* theirs =
      team.there(parent == task.root ? task.source : static_cast<const void*>(task.dest), parent);
  const std::byte* payload = fan_out.receive();
  copy(task.dest, in_letter ? payload : theirs, task.bytes);
  if (!in_letter) thank(team, parent);
}

static void run(Team& team, const Broadcast& task) {
  FanOut fan_out(team);
  const LeaderTree leaders(team, task.root);
  const int leader = leaders.leader_of(team.me);
  const bool is_root = team.me == task.root, in_letters = task.bytes <= payload_bytes;
  if (!is_root) receive(team, task, team.me == leader ? leaders.parent() : leader, fan_out, in_letters);
  if (team.me != leader) return;
  const void* data = is_root ? task.source : task.dest;
  int readers = 0;
  for_each_child(team, leaders, [&](int child) {
    fan_out.send(child, data, in_letters ? task.bytes : 0);
    ++readers;
  });
  if (is_root) task.copy_at_root();
  if (!in_letters) await_thanks(team, readers);
}

constinit const BroadcastAlgorithm broadcast_by::two_level{"two_level", run};

}  // namespace atrium
