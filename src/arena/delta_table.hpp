// A table of deltas that is safe to index with any PE number.
// SPDX-License-Identifier: BSD-3-Clause
//
//      PROT_NONE ... | AWAY AWAY AWAY | d[0] d[1] ... d[n-1] | AWAY AWAY AWAY | ... PROT_NONE
//                      at least a page                         at least a page
//
// The inline fast path indexes it with whatever the program passes. A number just outside the team finds AWAY and the
// library answers with a message; one far outside faults. It never reads a foreign word as a delta, so a wrong PE number
// cannot corrupt a third PE.
#pragma once

#include <cstddef>

#include "core/result.hpp"

namespace atrium {

// A table of `size` entries, all AWAY; fill it through the pointer.
Result<ptrdiff_t*> create_delta_table(int size);
void destroy_delta_table(ptrdiff_t* table, int size);

}  // namespace atrium
