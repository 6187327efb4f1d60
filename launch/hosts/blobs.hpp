// What nodes of a job exchange while it starts and ends, gathered until all nodes have given theirs.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <iterator>
#include <optional>
#include <utility>

#include "launch/hosts/host.hpp"

namespace atrium {

class Blobs {
 public:
  explicit Blobs(size_t nodes) : nodes_(nodes) {}

  // Of so many nodes, which contribute the next one only after they have got those of all.
  void add(size_t nodes, NodeBlobs blobs) {
    contributed_ += nodes;
    blobs_.insert(blobs_.end(), std::make_move_iterator(blobs.begin()), std::make_move_iterator(blobs.end()));
  }
  size_t nodes() const { return nodes_; }
  // All of them, once.
  std::optional<NodeBlobs> take_complete() {
    if (contributed_ != nodes_) return std::nullopt;
    contributed_ = 0;
    return std::exchange(blobs_, {});
  }

 private:
  size_t nodes_;
  size_t contributed_ = 0;
  NodeBlobs blobs_;
};

}  // namespace atrium
