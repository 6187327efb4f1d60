// Stands in front of src/coll/steps/leaders.hpp in the model of shared exchanges: a sync of a node in two halves. Those that there are have
// models of their own (coll_model.cpp).
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "team/nodes.hpp"

namespace atrium {

// Of the node's members that a sync waits for: it says that it has come, and waits until that one has.
void come(const Team& node, uint64_t sync);
void await_member(const Team& node, int member, uint64_t sync);

class NodeSync {
 public:
  explicit NodeSync(TeamNodes& nodes)
      : node_(nodes.node), come_(++node_.progress.syncs), go_(++node_.progress.syncs) {}
  uint64_t epoch() const { return come_; }
  void arrive() { come(node_, come_); }
  void wait() { await_member(node_, 0, go_); }
  void arrive_and_wait() {
    arrive();
    wait();
  }
  void await_all() {
    for (int member = 1; member < node_.size; ++member) await_member(node_, member, come_);
  }
  void release() { come(node_, go_); }

 private:
  Team& node_;
  uint64_t come_, go_;
};

}  // namespace atrium
