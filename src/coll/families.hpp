// The families of collectives after their types are gone: each chooses an algorithm and runs it.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

#include "coll/element_loops.hpp"
#include "team/team.hpp"

namespace atrium {

enum class RootCopy : bool { no, yes };           // does the root of a broadcast write its own dest
enum class Scan : bool { inclusive, exclusive };  // does a PE's own contribution count

// All return 0. Blocks are in bytes unless said otherwise. `returns`: where the routine returns to, which is a part of it
// where these are called (coll.hpp).
int broadcast_bytes(Team& team, void* dest, const void* source, size_t bytes, int root, RootCopy root_copy,
                    const void* returns);
int collect_bytes(Team& team, void* dest, const void* source, size_t bytes,  // differ from PE to PE
                  const void* returns);
// What all members bring to a collect, and how many bytes the smallest dest has. Collective; the same answer on all.
struct Together {
  size_t bytes, least_room;
};
Together sum_up(Team& team, const Together& mine);
int fcollect_bytes(Team& team, void* dest, const void* source, size_t bytes, const void* returns);
int alltoall_bytes(Team& team, void* dest, const void* source, size_t bytes,  // per block
                   const void* returns);
// Strides in elements of `element` bytes; nelems elements per block.
int alltoalls_bytes(Team& team, void* dest, const void* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems,
                    size_t element, const void* returns);
int reduce_elements(Team& team, void* dest, const void* source, size_t n, const ElementLoop& loop,
                    const void* returns);
int scan_elements(Team& team, void* dest, const void* source, size_t n, const ElementLoop& loop, Scan scan,
                  const void* returns);

}  // namespace atrium
