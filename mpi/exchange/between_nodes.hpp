// Several nodes: the ranks of a node put together what they send to another, leaders exchange, all ranks
// read.
// SPDX-License-Identifier: BSD-3-Clause
//
// One message for each ordered pair of nodes. It is sent from shared memory and received into it:
//
//   region   | header | table, if sizes differ | blocks of rank 0 of the sending node | of rank 1 | ... |
//
// A rank's blocks are those for rank 0, 1, ... of the receiving node; the table has their sizes, by rows.
//
// The pair (A, B) is the business of A's leader number B modulo A's leaders, and of B's number A modulo B's.
#pragma once

#include "comm/comm_state.hpp"
#include "exchange/exchange.hpp"
#include "exchange/outcome.hpp"

namespace atrium::mpi {

// Equal blocks, and the share that all nodes need for them.
CallOutcome exchange_uniform_between_nodes(CommState& state, const Exchange& exchange,
                                           std::size_t block_bytes);
std::size_t share_for_uniform_between_nodes(const CommState& state, std::size_t block_bytes);

// Blocks of different sizes. A node whose chooser sends no data with a call of so many bytes per pair, as far as this
// node knows, says only how large the call is for it; and so does one whose buffers are too small.
CallOutcome exchange_varying_between_nodes(CommState& state, const Exchange& exchange);

}  // namespace atrium::mpi
