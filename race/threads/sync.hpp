// What threads of this PE release and acquire: by a lock, a barrier, an atomic variable; known by its address.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "race/model/strand.hpp"

namespace atrium::race {

// What strands have left for others of the same PE.
struct Knowledge {
  SpinLock lock;
  VectorClock* clock = nullptr;
  Tick* fenced = nullptr;
  bool is_shared = false;  // of objects that have no record of their own: nothing in it may be forgotten
};

void leave(Strand& strand, Knowledge& knowledge);    // adds what the strand knows
void replace(Strand& strand, Knowledge& knowledge);  // instead of what was there
void take(Strand& strand, const Knowledge& knowledge);
Knowledge& knowledge_at(const volatile void* address);

// C11's fences (7.17.4): what the strand knew at its last release fence goes with the values that it stores by relaxed
// atomics since; what came with the values that its relaxed loads have seen is acquired by its next acquire fence.
struct Fences {
  Knowledge left, seen;
};
void order_by_fence(Strand& strand, bool acquires, bool releases);
void leave_relaxed(const Strand& strand, Knowledge& knowledge);
void take_relaxed(Strand& strand, const Knowledge& knowledge);
// The same with the record of a word of symmetric memory.
const VectorClock* left_at_fence(const Strand& strand);
void take_relaxed(Strand& strand, const VectorClock& clock);

// Whether there is anybody to be ordered with. Some libraries lock where memory is mapped, which the tool does for its
// records.
inline bool orders_threads() { return following && threads_exist && !Inside::now(); }

// The object at this address: what a strand has done before it releases it precedes what a strand does that acquires it.
void acquired(const volatile void* object);
void released(const volatile void* object);

// Records are used again: what a new owner would find in them is forgotten.
void forget(Knowledge& knowledge);

}  // namespace atrium::race
