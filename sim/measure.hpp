// One collective, again and again on all PEs: how long it takes on the virtual clock, and what it sends.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "sim/world.hpp"

namespace atrium::sim {

struct Figures {
  double microseconds = 0;  // of one operation
  double messages_per_node = 0, transfers_per_node = 0, bytes_per_node = 0;
  double acknowledgements_per_node = 0;  // of the messages: those that are nothing else
  size_t most_partners = 0;              // of a PE, the first time included
};

struct MeasureRequest {
  std::string collective = "barrier";
  size_t bytes = 8;  // per PE; per block in alltoall
  int rounds = 5;
  std::string schedule{};  // the file for it; empty: none is wanted
};

// The names that MeasureRequest::collective may have.
std::vector<std::string> collectives_to_measure();
size_t heap_for(const MeasureRequest& wanted, int pes);

// Blocks of PEs, as oshrun places them: the first nodes, `larger` of them, have one more.
JobShape blocks_of(int nodes, int places, int endpoints, int larger = 0);

// One after the other in a world and a process of their own.
Result<std::vector<Figures>> measure_all_on(JobShape shape, const Costs& costs,
                                            const std::vector<MeasureRequest>& wanted);
Result<Figures> measure_on(const JobShape& shape, const Costs& costs, const MeasureRequest& wanted);

// Runs it once before, so that what is made at the first use is there. An error for an unknown name, for a wrong result, and
// where no PE can go on.
Result<Figures> measure(World& world, const MeasureRequest& wanted);

}  // namespace atrium::sim
