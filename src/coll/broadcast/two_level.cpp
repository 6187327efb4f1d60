// Broadcast on two levels: from the root to the leaders of the domains, from each leader to its neighbours.
// SPDX-License-Identifier: BSD-3-Clause
//
// Three ways to a child, by where it is and how much there is:
//   eager    small data lies beside the flag;
//   written  larger data for another node is put into dest, and the flag follows: the sender does not wait for the child;
//   read     a flag says that the sender's copy is complete, the reader acknowledges when it has read it, and
//            a member does not return before its readers have acknowledged.
#include "coll/broadcast/broadcast.hpp"
#include "coll/steps/acknowledge.hpp"
#include "coll/steps/domain_tree.hpp"
#include "coll/steps/fan_out.hpp"
#include "coll/steps/transfer.hpp"

namespace atrium {
namespace {

enum class Route { eager, written, read };

// Both ends ask, of each other.
Route way_to(const Team& team, const Broadcast& task, int other) {
  if (task.bytes <= payload_bytes) return Route::eager;
  return !team.is_here(other) && task.may_write_ahead() ? Route::written : Route::read;
}

void receive(Team& team, const Broadcast& task, int parent, FanOut& fan_out) {
  const std::byte* payload = fan_out.receive();
  switch (way_to(team, task, parent)) {
    case Route::eager:
      return copy(task.dest, payload, task.bytes);
    case Route::written:
      return;
    case Route::read:
      get_from(team, parent, task.dest, parent == task.root ? task.source : task.dest, task.bytes);
      settle();
      return acknowledge(team, parent);
  }
}

// How many children acknowledge.
int send(Team& team, const Broadcast& task, const LeaderTree& leaders, FanOut& fan_out) {
  const void* data = leaders.is_root() ? task.source : task.dest;
  int readers = 0;
  for_each_child(team, leaders, [&](int child) {
    const Route way = way_to(team, task, child);
    if (way == Route::written) fan_out.write(child, task.dest, data, task.bytes);
    if (way == Route::written) return;
    fan_out.send(child, data, way == Route::eager ? task.bytes : 0);
    if (way == Route::read) ++readers;
  });
  return readers;
}

void run(Team& team, const Broadcast& task) {
  FanOut fan_out(team);
  const LeaderTree leaders(team, task.root);
  const int leader = leaders.leader_of(team.me);
  const bool is_root = team.me == task.root;
  if (!is_root) receive(team, task, team.me == leader ? leaders.parent() : leader, fan_out);
  if (team.me != leader) return;
  const int readers = send(team, task, leaders, fan_out);
  if (is_root) task.copy_at_root();
  settle();
  await_acknowledgements(team, readers);
}

}  // namespace

constinit const BroadcastAlgorithm broadcast_by::two_level{"two_level", run};

}  // namespace atrium
