// What the first PE of a node tells all PEs under another launcher's PMIx, before anybody knows who is where: where the
// node's memory is, and who else may open it, as the launcher says. (Whether it could be opened says nothing: containers
// may share /proc and nothing else.)
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

// What a node's first PE, of that number, has told.
using IntroductionOf = std::function<Result<std::string>(int pe)>;

// Where the `pes` PEs of the job are, as process `me` of them sees it. Asks only those that are the first of their nodes:
// the lowest PE of which no node has told yet. Requires: 0 <= me < pes.
Result<Placement> place_by_introductions(int me, int pes, const IntroductionOf& introduction_of);

// The launcher's job makes no sense, or cannot be joined.
Error cannot_join_launcher(const std::string& because);

}  // namespace atrium
