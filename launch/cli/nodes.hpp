// Which PE belongs to which pretended node: what --nodes and ATRIUM_NODES mean.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "core/result.hpp"
#include "launch/cli/options.hpp"

namespace atrium {

// What --nodes says, or else ATRIUM_NODES; empty: the PEs of a host are on one node.
std::string pretended_nodes(const Options& options);

// The node of each of `pes` PEs. `text` is a number of nodes ("4": blocks of equal size, as far as the number
// divides), the PEs of each ("1+3": in this order, the last takes the rest), either followed by ":cyclic" (in
// turns, as long as a node has room), or empty: one node. Nodes for which no PE is left do not exist.
Result<std::vector<int>> spread_over_nodes(const std::string& text, int pes);

// What to say where such nodes are more than `pes`; else empty. Requires: spread_over_nodes takes `text`.
std::string note_on_absent_nodes(const std::string& text, int pes);

// How many PEs such a text says there are: "1+3" says 4, "3" says 3 times `per_node`. 0: it does not say.
int pes_of_nodes(const std::string& text, int per_node);

// The node of each PE when node k gets sizes[k] of them, in blocks or in turns. Requires: their sum is `pes`.
std::vector<int> deal_pes(std::vector<int> sizes, int pes, bool cyclic);

}  // namespace atrium
