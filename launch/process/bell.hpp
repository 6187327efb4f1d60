// Notices when the first PE of a node here has contributed data for the other nodes, while the job starts or ends.
// SPDX-License-Identifier: BSD-3-Clause
//
// The first PE of a node writes a blob into its lobby, counts the round in `contributed` and rings the bell (an eventfd).
// When all nodes have come to the same round, the blobs go to all lobbies, whose `gathered` is set and woken.
#pragma once

#include <functional>

#include "launch/io/loop.hpp"

namespace atrium {

class Bell final : public Watcher {
 public:
  // Without a bell where there is one node only.
  Bell(Loop& loop, int nodes, std::function<void()> on_ring);

  // Inherited by the first PE of each node; -1: none.
  int fd() const { return fd_; }

 private:
  void on_ready() override;

  std::function<void()> on_ring_;
  int fd_ = -1;
};

}  // namespace atrium
