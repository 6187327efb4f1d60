// Broadcast on two levels: from the root to the leaders of the domains, from each leader to its neighbours.
// SPDX-License-Identifier: BSD-3-Clause
//
// Little data rides beside the flags. More is read: a flag says that the sender's copy is complete, the
// reader acknowledges when it needs it no more, and nobody leaves before its readers have.
#include "coll/broadcast/broadcast.hpp"
#include "coll/steps/acknowledge.hpp"
#include "coll/steps/domain_tree.hpp"
#include "coll/steps/fan_out.hpp"
#include "coll/steps/transfer.hpp"

namespace atrium {

static void receive(Team& team, const Broadcast& task, int parent, FanOut& fan_out, bool eager) {
  const std::byte* payload = fan_out.receive();
  if (eager) return copy(task.dest, payload, task.bytes);
  get_from(team, parent, task.dest, parent == task.root ? task.source : task.dest, task.bytes);
  settle();
  acknowledge(team, parent);
}

static void run(Team& team, const Broadcast& task) {
  FanOut fan_out(team);
  const LeaderTree leaders(team, task.root);
  const int leader = leaders.leader_of(team.me);
  const bool is_root = team.me == task.root, eager = task.bytes <= payload_bytes;
  if (!is_root) receive(team, task, team.me == leader ? leaders.parent() : leader, fan_out, eager);
  if (team.me != leader) return;
  const void* data = is_root ? task.source : task.dest;
  int readers = 0;
  for_each_child(team, leaders, [&](int child) {
    fan_out.send(child, data, eager ? task.bytes : 0);
    ++readers;
  });
  if (is_root) task.copy_at_root();
  if (!eager) await_acknowledgements(team, readers);
}

constinit const BroadcastAlgorithm broadcast_by::two_level{"two_level", run};

}  // namespace atrium
