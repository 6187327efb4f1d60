// Blocks, teams and contexts that the program has never given back: reported at shmem_finalize, with ATRIUM_LEAKS=1.
// SPDX-License-Identifier: BSD-3-Clause
//
// shmem_finalize frees all of it, so that nothing is lost when a program ends; but what grows while it runs is seen here
// first. It is a note, and no error. Thread safety: any.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace atrium {

enum class Made { block, team, context };

namespace detail {
extern bool leaks_looked_for;
void remember_made(Made kind, const void* handle, size_t bytes);
void forget_made(const void* handle);
}  // namespace detail

bool wants_leaks();  // ATRIUM_LEAKS
// Called by init. `wanted`: on some PE, since all PEs take part in the report.
void configure_leaks(bool wanted);
inline bool looking_for_leaks() { return __builtin_expect(detail::leaks_looked_for, 0); }

// With the place in the program that has called the library.
inline void remember_made(Made kind, const void* handle, size_t bytes = 0) {
  if (looking_for_leaks()) detail::remember_made(kind, handle, bytes);
}
inline void forget_made(const void* handle) {
  if (looking_for_leaks()) detail::forget_made(handle);
}

// Equal on PEs that have leaked the same.
uint64_t fingerprint_of_leaks();
// A line of its own, for people, for each kind and place in the program; empty if there is nothing. `who` comes first in
// it. Looks the sources up, which takes its time.
std::string describe_leaks(const std::string& who);
void forget_all_made();

}  // namespace atrium
