// Lets all PEs agree on one bit: whether each of them has succeeded.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace atrium {

// For the job: every PE calls it at the same point of init, when all have allocated the same system memory.
void prepare_votes();

// True on every PE when every PE said true. Collective over the world.
bool all_agree(bool mine);

}  // namespace atrium
