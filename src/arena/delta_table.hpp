// A table of deltas that is safe to index with any PE number.
// SPDX-License-Identifier: BSD-3-Clause
//
//      PROT_NONE ... | AWAY AWAY AWAY | d[0] d[1] ... d[n-1] | AWAY AWAY AWAY | ... PROT_NONE ... | AWAY AWAY
//                      at least 64                             at least 64                          64
//
// The inline fast path indexes it with whatever the program passes: with an `int`, or in the world's table
// with an `unsigned`, for which -1 is the last entry of all. A number just outside the team finds AWAY and
// the library answers with a message; one farther outside faults. As far as the guards reach (further than
// any slip goes, see Guard) no foreign word is taken for a delta, so a wrong PE number cannot corrupt a third PE.
//
// Of a long table only the pages that something was written into are this process's own: all others are the same 64 KiB of AWAY,
// mapped as often as needed. So a table costs memory for the peers of a node, not for the PEs of a job. Whoever fills it
// leaves alone what is AWAY anyhow.
#pragma once

#include <cstddef>

#include "core/result.hpp"

namespace atrium {

// How far the PROT_NONE part reaches: `near` 1 MiB to both sides; `every_int` as far as any `int` can index,
// 16 GiB of address space (no memory) to both sides; `every_number` as far as any `int` or `unsigned` can,
// with another 16 GiB above. Under a `ulimit -v` all are near.
enum class Guard { near, every_int, every_number };

// A table of `size` entries, all AWAY; fill it through the pointer.
Result<ptrdiff_t*> create_delta_table(int size, Guard guard = Guard::near);
// One that the library alone indexes, with PEs that exist, and that stays. A small one has no guards, which take system calls at each
// start.
Result<ptrdiff_t*> create_inner_table(int size);
// Makes room for `size` entries, all of them AWAY again. Fails if the guard is too small.
Result<void> extend_delta_table(ptrdiff_t* table, int size, Guard guard);
// `size` is that of its creation.
void destroy_delta_table(ptrdiff_t* table, int size, Guard guard = Guard::near);

// All of a table's memory, guards included. `size` is that of its creation.
struct GuardedTable {
  std::byte* begin;
  size_t bytes;
};
GuardedTable guarded_memory(ptrdiff_t* table, int size, Guard guard);

// A table for the time before init and after finalize: AWAY wherever a PE number is likely to point.
inline constexpr size_t nowhere_half = 4096;
extern const ptrdiff_t nowhere_entries[2 * nowhere_half];
constexpr const ptrdiff_t* nowhere_table() { return &nowhere_entries[nowhere_half]; }

}  // namespace atrium
