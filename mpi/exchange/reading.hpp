// All ranks on one node, large blocks: each rank reads what it gets where the sender has it.
// SPDX-License-Identifier: BSD-3-Clause
//
// One copy and two synchronisations: a share says where the blocks are, and a rank returns when all others have read. Blocks
// in memory that MPI_Alloc_mem gave are mapped by their reader; others are read by the kernel. What the MPI has to pack, or
// what can be reached neither way, is copied to memory that can be read. Never in place: a block could be
// overwritten before it is read.
#pragma once

#include "comm/comm_state.hpp"
#include "exchange/exchange.hpp"
#include "exchange/outcome.hpp"

namespace atrium::mpi {

// Whether this exchange can be read; the same answer on all ranks.
inline bool may_read(const CommState& state, const Exchange& exchange) {
  return state.can_read() && state.on_one_node() && !exchange.in_place();
}

// What a share must hold for it.
std::size_t share_for_reading(const CommState& state);

// Equal blocks: the whole exchange. With CallVerdict::fallback the receive buffer may have been written to.
CallOutcome exchange_by_reading(CommState& state, const Exchange& exchange);

// Blocks of different sizes, in two parts: say where mine are and learn where all others' are, and, if the strongest verdict
// is go and the ranks want to, read.
CallHeader offer_to_readers(CommState& state, const Exchange& exchange);
CallOutcome read_from_others(CommState& state, const Exchange& exchange);

}  // namespace atrium::mpi
