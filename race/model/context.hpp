// Communication contexts of this PE, by their handles.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>

namespace atrium::race {

inline constexpr unsigned most_contexts = 4096;

// Its operations are known by its number. The number of a context that is gone serves another: what the first has done was
// complete. At most this many have one of their own; those beyond share the last, so that a fence or quiet of one counts
// for all of them: races may be missed, none is made up.
struct Context {
  std::atomic<const void*> handle;  // what it is found by
  unsigned number;
  unsigned domain;     // atomicity domain, as two bits
  const int* members;  // of its team, by their numbers in the world; null: all PEs
  int size;
  std::atomic<Context*> next;  // in the order in which they were made
};

// The default context for a handle that is not known.
Context& context_of(const void* handle);
// The first is the default one.
Context& add_context(const void* handle, unsigned domain, const int* members, int size);
void remove_context(const void* handle);
void remove_all_contexts();  // but the default one

}  // namespace atrium::race
