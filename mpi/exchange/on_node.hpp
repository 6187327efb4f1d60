// All ranks on one node: everyone puts what it sends into its share, and takes what it gets out of the
// others'.
// SPDX-License-Identifier: BSD-3-Clause
//
// Two copies and one synchronisation. A share holds one block per rank, in the order of the ranks; if their
// sizes differ, a table of where they begin comes first.
#pragma once

#include "comm/comm_state.hpp"
#include "exchange/exchange.hpp"
#include "exchange/outcome.hpp"

namespace atrium::mpi {

// Equal blocks: the whole exchange. With CallVerdict::fallback (a rank could not pack) the receive buffer may have
// been written to, unless it is what is sent.
CallOutcome exchange_uniform_on_node(CommState& state, const Exchange& exchange, std::size_t block_bytes);

// Blocks of different sizes, in two parts: say what I have (and put it down, if `with_data`), learn from all
// the others, and, if the strongest verdict is go and the ranks want to, take what is mine.
CallHeader offer_varying_on_node(CommState& state, const Exchange& exchange, bool with_data);
int take_varying_on_node(CommState& state, const Exchange& exchange);

}  // namespace atrium::mpi
