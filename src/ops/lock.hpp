// Distributed locks (specification section 9.13): first come, first served.
// SPDX-License-Identifier: BSD-3-Clause
//
// Words.  A lock is a symmetric `long`, so every PE has a copy. The *home* of a lock is the PE whose copy
//         holds the queue's tail; it is hashed from the lock's place in memory, so that locks do not all meet on PE 0. The
//         *node* of a PE is its own copy: its place in the queue (MCS: each waits on its own node, the one
//         before it hands the lock over).
//
//   a copy of the lock, 64 bits    bits   0..29   next: 1 + the PE behind me in the queue, 0 if none yet
//                                        30       granted: the lock has been handed to me
//                                        31       unused
//                                       32..63    tail: 1 + the last PE in the queue, 0 if the lock is free
//                                                 (only the home's copy)
//
//         A *narrow* lock is a default INTEGER of Fortran; its home is PE 0, and its copies have half the bits:
//
//   a copy of a narrow lock        bits   0..14   next      15   granted      16..31   tail
//
// Invariants. A free lock is zero on every PE: zero-filled memory is a free lock. The halves of a wide one are separate
//             32-bit words, each only ever touched as such. A PE holds or awaits a lock once (the specification: not
//             re-entrant).
// Cost.       Free: one compare-and-swap at the home to set, one to clear. Contended: each waits on its own memory.
#pragma once

#include <cstdint>

namespace atrium {

void set_lock(long* lock);
void clear_lock(long* lock);  // what the default context has issued is complete for who takes it next
int test_lock(long* lock);    // 0: the lock is mine now; 1: another PE has it

// Requires: no more than 0x7FFE PEs (fortran/lock.c).
void set_lock(uint32_t* lock);
void clear_lock(uint32_t* lock);
int test_lock(uint32_t* lock);

}  // namespace atrium
