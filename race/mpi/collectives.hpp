// Collectives: who leaves a clock for whom when one begins, and who takes it when it is complete.
// SPDX-License-Identifier: BSD-3-Clause
//
// Members call the collectives of a communicator in the same order, those that are completed later among them. So the count of those
// that this rank has begun says which one it is. Those in which each waits for each are counted apart: in them nobody can be far ahead.
// Persistent ones may be started in any order: each counts when it is made, and counts its starts.
#pragma once

#include <cstdint>

#include "race/mpi/operations.hpp"

namespace atrium::race {

bool is_collective(OrderKind kind);
bool is_meeting(const MpiOperation& operation);  // each waits for each
// Requires of the operation: it is a collective; here and below.
void begin_collective(const Strand& strand, const MpiOperation& operation);
// `takes`: it is complete and goes; else it is only seen to be complete.
void end_collective(Strand& strand, const MpiOperation& operation, bool takes, uint64_t origin);

}  // namespace atrium::race
