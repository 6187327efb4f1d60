// A sync of a node in two halves, as NodeSync, with several leaders between them, who may sync among themselves.
// SPDX-License-Identifier: BSD-3-Clause
//
//   SharedSync sync(nodes, leaders);
//   if (!sync.leads()) return sync.arrive_and_wait();
//   sync.await_all(prepare);                each leader: all members of the node have come, and the first one has done prepare()
//   ...
//   sync.meet();                            each leader: all of them have come here, as often as wanted
//   sync.release();                         each leader, when all have met for the last time
#pragma once

#include "coll/steps/leaders.hpp"

namespace atrium {

class SharedSync {
 public:
  // The first `leaders` members of the node: the same number on all of it.
  SharedSync(TeamNodes& nodes, int leaders)
      : nodes_(nodes), sync_(nodes), meeting_(sync_.epoch() * most_meetings), leaders_(leaders) {}

  bool leads() const { return me() < leaders_; }
  void arrive_and_wait() { sync_.arrive_and_wait(); }
  template <class Prepare>
  void await_all(Prepare prepare) {
    ++meeting_;
    if (me() == 0) {
      sync_.await_all();
      prepare();
      return tell_others();
    }
    sync_.arrive();
    await(0);
  }
  void await_all() {
    await_all([] {});
  }
  void meet() {
    ++meeting_;
    tell_others();
    for (int leader = 0; leader < leaders_; ++leader)
      if (leader != me()) await(leader);
  }
  void release() { me() == 0 ? sync_.release() : sync_.wait(); }

 private:
  int me() const { return nodes_.node.me; }
  void tell_others() {
    for (int leader = 0; leader < leaders_; ++leader)
      if (leader != me())
        detail::raise_at(nodes_.node, leader, nodes_.flag_of_neighbour(leader, me()), meeting_);
  }
  void await(int leader) {
    await_flag(nodes_.node, nodes_.flag_of_neighbour(me(), leader), meeting_, WaitKind::barrier);
  }

  // In a sync: one when all have come, and one in each round. All members count syncs alike, however many of them lead in each.
  static constexpr uint64_t most_meetings = 2 * most_rounds;

  TeamNodes& nodes_;
  NodeSync sync_;
  uint64_t meeting_;
  int leaders_;
};

}  // namespace atrium
