// What threads of this PE release and acquire: by a lock, a barrier, an atomic variable; known by its address.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "race/model/strand.hpp"

namespace atrium::race {

// What strands have left for others of the same PE.
struct Knowledge {
  SpinLock lock;
  Clock* clock = nullptr;
  Tick* fenced = nullptr;
  bool is_shared = false;  // of objects that have no record of their own: nothing in it may be forgotten
};

void leave(Strand& strand, Knowledge& knowledge);    // adds what the strand knows
void replace(Strand& strand, Knowledge& knowledge);  // instead of what was there
void take(Strand& strand, const Knowledge& knowledge);
Knowledge& knowledge_at(const volatile void* address);

// Whether there is anybody to be ordered with. Some libraries lock where memory is mapped, which the tool does for its
// records.
inline bool orders_threads() { return following && threads_exist && !Inside::now(); }

// By whatever has this address: what who released it had done precedes what the strand does that acquires it.
void acquired(const volatile void* object);
void released(const volatile void* object);

// Records are used again: what a new owner would find in them is forgotten.
void forget(Knowledge& knowledge);

}  // namespace atrium::race
