// Several nodes: the ranks of a node put together what they send to another, leaders exchange, all ranks
// read.
// SPDX-License-Identifier: BSD-3-Clause
//
// One message for each ordered pair of nodes. It is sent from shared memory and received into it:
//
//   region   | envelope | table, if sizes differ | from rank 0 of the sending node to rank 0, 1, ... of the
//   other |
//            | from rank 1 to rank 0, 1, ... | ...
//
// The pair (A, B) is the business of A's leader number B modulo A's leaders, and of B's number A modulo B's.
#pragma once

#include "exchange/exchange.hpp"
#include "exchange/outcome.hpp"
#include "plan/plan.hpp"

namespace atrium::mpi {

// Equal blocks, and the share that all nodes need for them.
Outcome exchange_uniform_between_nodes(Plan& plan, const Exchange& exchange, std::size_t block_bytes);
std::size_t share_for_uniform_between_nodes(const Plan& plan, std::size_t block_bytes);

// Blocks of different sizes. A node sends data if it `expects` so of a call of so many bytes per pair, as far
// as this node knows; else, as where its buffers are too narrow, it says only how large the call is for it.
Outcome exchange_varying_between_nodes(Plan& plan, const Exchange& exchange,
                                       bool (*expects)(Plan& plan, std::size_t widest));

}  // namespace atrium::mpi
