// Broadcast by leaders that spread: several leaders of each node that has the data pass it on, each to other nodes.
// SPDX-License-Identifier: BSD-3-Clause
//
// Nodes are numbered from the root's on. In each round every node that has the data passes it on to as many nodes as it has leaders that take
// part (coll/steps/spread_rounds.hpp): leader i of node x to node x + (i + 1) reach, if reach > x. So each node hears of it once:
//
//   9 nodes, k = 2:   round 0, reach 1: 0 -> 1, 2;   round 1, reach 3: 0 -> 3, 6;  1 -> 4, 7;  2 -> 5, 8
//
// In a node the data comes to the *first* member, the root or the one with the lowest number, which tells its neighbours. Small data lies
// beside the flags. Larger data is written into the dest of another node's first member; its neighbours send it on from there, and
// acknowledge when they have also copied it.
#include "coll/broadcast/broadcast.hpp"
#include "coll/steps/acknowledge.hpp"
#include "coll/steps/fan_out.hpp"
#include "coll/steps/spread.hpp"
#include "coll/steps/transfer.hpp"

namespace atrium {
namespace {

class NodeOfTree {
 public:
  NodeOfTree(const Team& team, int root)
      : nodes_(*team.nodes),
        root_(nodes_.members.node_of(root)),
        number_((nodes_.me - root_ + nodes_.count()) % nodes_.count()),
        leaders_(spreading_leaders(nodes_)),
        first_(number_ == 0 ? root : first_of(nodes_.me)) {}

  int leaders() const { return leaders_; }
  int first() const { return first_; }
  // visit(member) for the first ones of those nodes to which I send: the most distant subtree last, which is the smallest.
  template <class Visit>
  void for_each_child(Visit visit) const {
    if (nodes_.node.me >= leaders_) return;
    for (SpreadRounds round(nodes_, leaders_, 0); !round.is_over(); round.next_round()) {
      const int64_t child = number_ + round.distance(nodes_.node.me);
      if (round.reach() > number_ && child < nodes_.count())
        visit(first_of(static_cast<int>((root_ + child) % nodes_.count())));
    }
  }

 private:
  int first_of(int node) const { return nodes_.members.pes_of(node)[0]; }

  const TeamNodes& nodes_;
  int root_, number_, leaders_, first_;
};

// `data` may lie in the dest, or the source, of my node's first member.
void send_to_nodes(FanOut& fan_out, const NodeOfTree& tree, const Broadcast& task, const void* data) {
  tree.for_each_child([&](int child) {
    if (task.bytes <= payload_bytes)
      fan_out.send(child, data, task.bytes);
    else
      fan_out.write(child, task.dest, data, task.bytes);
  });
}

// On the first member. Those neighbours that send on are told before I send, the others afterwards.
void pass_on(Team& team, FanOut& fan_out, const NodeOfTree& tree, const Broadcast& task, const void* data) {
  const auto here = team.nodes->members.pes_here();
  const bool is_eager = task.bytes <= payload_bytes;
  const auto tell = [&](size_t begin, size_t end) {
    for (size_t place = begin; place < end; ++place)
      if (here[place] != team.me) fan_out.send(here[place], data, is_eager ? task.bytes : 0);
  };
  const auto leaders = static_cast<size_t>(tree.leaders());
  tell(0, leaders);
  send_to_nodes(fan_out, tree, task, data);
  tell(leaders, here.size());
  if (team.me == task.root) task.copy_at_root();
  settle();
  if (!is_eager) await_acknowledgements(team, static_cast<int>(here.size()) - 1);
}

void receive_from_neighbour(Team& team, FanOut& fan_out, const NodeOfTree& tree, const Broadcast& task,
                            const std::byte* payload) {
  const int place = team.nodes->members.place_of(tree.first());
  const bool is_eager = task.bytes <= payload_bytes;
  const void* const data =
      is_eager
          ? payload
          : team.nodes->node.there(
                static_cast<const std::byte*>(tree.first() == task.root ? task.source : task.dest), place);
  send_to_nodes(fan_out, tree, task, data);
  copy(task.dest, data, task.bytes);
  settle();
  if (!is_eager) acknowledge(team, tree.first());
}

void run(Team& team, const Broadcast& task) {
  if (task.bytes > payload_bytes && !task.may_write_ahead())
    return broadcasts
        .hand_over(broadcast_by::leaders_spread, broadcast_by::two_level,
                   "the destination may not be written before its owner has come")
        .run(team, task);
  FanOut fan_out(team);
  const NodeOfTree tree(team, task.root);
  if (team.me == task.root) return pass_on(team, fan_out, tree, task, task.source);
  const std::byte* const payload = fan_out.receive();
  if (team.me != tree.first()) return receive_from_neighbour(team, fan_out, tree, task, payload);
  if (task.bytes <= payload_bytes) copy(task.dest, payload, task.bytes);
  pass_on(team, fan_out, tree, task, task.dest);
}

}  // namespace

constinit const BroadcastAlgorithm broadcast_by::leaders_spread{"leaders_spread", run, any_bytes, any_members,
                                                                ServedNodes::many};

}  // namespace atrium
