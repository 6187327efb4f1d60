// The collectives (specification section 9.10): what the C functions call.
// SPDX-License-Identifier: BSD-3-Clause
//
// Words.      *Steps* (coll/steps/) are what algorithms are made of; an *algorithm* is one file in the folder
//             of its *family*; *rules* (coll/select/) say which algorithm runs for which team and size.
// Invariants. On return my dest is complete and my source reusable, peers may still be inside, and the next
//             collective on the team may start at once. A peer's source is read only after that peer has
//             arrived; a peer's dest may be written from the start. Source and dest are symmetric: a peer's
//             copy is at my address + delta.
// Threads.    One collective at a time per team and PE; different teams are independent.
#pragma once

#include <cstddef>

#include "coll/element_loops.hpp"
#include "coll/families.hpp"
#include "core/result.hpp"
#include "team/team.hpp"

namespace atrium {

// Reads SHMEM_*_ALGORITHM. `traits` (coll/select/family.hpp), and how many CPUs every node has for its PEs: members choose
// by them, so they must be the same on every PE.
Result<void> set_up_collectives(uint64_t traits, int cpus_of_node);

void barrier_all();        // quiet of the default context, then sync of the world
void sync_all();           // sync of the world
int sync(Team& team);      // arrival, and visibility of every store made before
void barrier(Team& team);  // quiet of the default context, then sync: the active-set barrier

// nelems counts elements of T (T = std::byte for the *mem forms, Bits<32> and Bits<64> for the sized ones);
// all return 0. Inline always: the address that they return to is the routine's.
template <class T>
[[gnu::always_inline]] inline int broadcast(Team& team, T* dest, const T* source, size_t nelems, int root) {
  return broadcast_bytes(team, dest, source, bytes_of(nelems, sizeof(T)), root, RootCopy::yes,
                         __builtin_return_address(0));
}

// The active-set broadcast: leaves the root's dest alone.
template <class T>
[[gnu::always_inline]] inline int broadcast_others(Team& team, T* dest, const T* source, size_t nelems,
                                                   int root) {
  return broadcast_bytes(team, dest, source, bytes_of(nelems, sizeof(T)), root, RootCopy::no,
                         __builtin_return_address(0));
}

template <class T>
[[gnu::always_inline]] inline int collect(Team& team, T* dest, const T* source, size_t nelems) {
  return collect_bytes(team, dest, source, bytes_of(nelems, sizeof(T)), __builtin_return_address(0));
}

template <class T>
[[gnu::always_inline]] inline int fcollect(Team& team, T* dest, const T* source, size_t nelems) {
  return fcollect_bytes(team, dest, source, bytes_of(nelems, sizeof(T)), __builtin_return_address(0));
}

template <class T>
[[gnu::always_inline]] inline int alltoall(Team& team, T* dest, const T* source, size_t nelems) {
  return alltoall_bytes(team, dest, source, bytes_of(nelems, sizeof(T)), __builtin_return_address(0));
}

// Strides in elements of T: element i of block b lies at stride * (b * nelems + i).
template <class T>
[[gnu::always_inline]] inline int alltoalls(Team& team, T* dest, const T* source, ptrdiff_t dst,
                                            ptrdiff_t sst, size_t nelems) {
  return alltoalls_bytes(team, dest, source, dst, sst, nelems, sizeof(T), __builtin_return_address(0));
}

template <Op op, class T>
[[gnu::always_inline]] inline int reduce(Team& team, T* dest, const T* source, size_t nreduce) {
  return reduce_elements(team, dest, source, nreduce, element_loop<op, T>, __builtin_return_address(0));
}

template <class T>
[[gnu::always_inline]] inline int inscan(Team& team, T* dest, const T* source, size_t nelems) {
  return scan_elements(team, dest, source, nelems, element_loop<Op::sum, T>, Scan::inclusive,
                       __builtin_return_address(0));
}

template <class T>
[[gnu::always_inline]] inline int exscan(Team& team, T* dest, const T* source, size_t nelems) {
  return scan_elements(team, dest, source, nelems, element_loop<Op::sum, T>, Scan::exclusive,
                       __builtin_return_address(0));
}

}  // namespace atrium
