// What the first PE of a node publishes under another launcher's PMIx, before any PE knows which node the others are on: where
// the node's memory is, and which PEs may open it, according to the launcher. (That a PE can open it proves nothing, because
// containers may share /proc and nothing else.)
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "topology/placement.hpp"

namespace atrium {

struct Introduction {
  long owner = 0;  // process id
  int descriptor = -1;
  std::vector<int> pes;  // ascending

  std::string text() const;
  // Any text: PEs are at least one, each once, and none is negative.
  static Result<Introduction> read(const std::string& text);
};

// Returns what the first PE of a node, which has this number, has published.
using IntroductionOf = std::function<Result<std::string>(int pe)>;

// Where the `pes` PEs of the job are, as process `me` of them sees it. Asks only the first PEs of the nodes: each time the lowest
// PE that no introduction names yet. Requires: 0 <= me < pes.
Result<Placement> place_by_introductions(int me, int pes, const IntroductionOf& introduction_of);

// The launcher's job makes no sense, or cannot be joined.
Error cannot_join_launcher(const std::string& because);

}  // namespace atrium
