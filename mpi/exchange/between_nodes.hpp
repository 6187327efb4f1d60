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

inline constexpr std::size_t varying_blocks = 0;

// `block_bytes` of each pair, or varying_blocks.
Outcome exchange_between_nodes(Plan& plan, const Exchange& exchange, std::size_t block_bytes);

// The share that all nodes need for equal blocks.
std::size_t share_for_uniform_between_nodes(const Plan& plan, std::size_t block_bytes);

}  // namespace atrium::mpi
