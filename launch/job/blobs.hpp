// What the nodes of a job tell each other while it starts and ends, gathered until all have told theirs.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace atrium {

class Blobs {
 public:
  explicit Blobs(int nodes) : told_(static_cast<size_t>(nodes)) {}

  // One of a node's, which tells the next only after it has got those of all.
  void add(int node, std::string blob) {
    if (node >= 0 && static_cast<size_t>(node) < told_.size())
      told_[static_cast<size_t>(node)] = std::move(blob);
  }
  // All of them, by node, once.
  std::optional<std::vector<std::string>> take_complete() {
    std::vector<std::string> all;
    for (const auto& blob : told_) {
      if (!blob) return std::nullopt;
      all.push_back(*blob);
    }
    told_.assign(told_.size(), std::nullopt);
    return all;
  }

 private:
  std::vector<std::optional<std::string>> told_;
};

}  // namespace atrium
