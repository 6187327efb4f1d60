// What completes and orders operations: fence, quiet, and the ends of contexts.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "race/model/access.hpp"

namespace atrium::race {

// The writes of this context that the strand knows to have been issued precede its later ones to the same PE.
void fence_context(Strand& strand, const ToolContext& context);

// Those operations are complete; with `pes`, those to these PEs.
void complete_context(Strand& strand, const ToolContext& context);
void complete_everything(Strand& strand);  // of all contexts and threads
void complete_targets(Strand& strand, const ToolContext& context, const int* pes, size_t count);

}  // namespace atrium::race
