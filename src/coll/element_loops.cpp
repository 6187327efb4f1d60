// Chooses the element loops of reductions that this processor can run.
// SPDX-License-Identifier: BSD-3-Clause
#include "coll/element_loops.hpp"

#include "arch/processor.hpp"

namespace atrium {

void choose_element_loops() { detail::has_wide_vectors = this_processor().avx2; }

}  // namespace atrium
