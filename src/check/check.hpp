// Checks whether an argument is what the standard asks for.
// SPDX-License-Identifier: BSD-3-Clause
//
// Two depths. The library path always knows whether a PE number and a context can be used, because it needs
// the team's delta anyway; what cannot be used ends the job with a message (refuse_...). With ATRIUM_CHECK=1
// or SHMEM_DEBUG, and in programs compiled without optimisation, every call takes the library path, and addresses,
// alignments, overlaps and handles are looked at too (require_...). The inline fast path checks nothing: a wrong PE number finds AWAY or faults
// (arena/delta_table.hpp), which a check answers (check/guard_faults.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "core/bytes.hpp"
#include "shmem/blocks.h"

namespace atrium {

namespace detail {
extern bool arguments_checked;
extern bool calls_compared;
}  // namespace detail
inline bool checking() { return __builtin_expect(detail::arguments_checked, 0); }
// Whether collective calls are compared among their members, which takes a barrier, so that it is the same on all PEs:
// where the user has asked for checks, and not where a program was compiled without optimisation.
inline bool comparing_calls() { return __builtin_expect(detail::calls_compared, 0); }

// From now on, while arguments are checked, calls of other threads than this one are refused; or not.
void expect_calls_of_this_thread_alone(bool alone);
// Whether the user has asked for checks here; also before shmem_init.
bool wants_checks();
// Called by init. `asked`: whether he has on some PE, since a comparison of calls takes all of them.
void configure_checks(bool asked = wants_checks());

// `members`: how many PEs the team has.
[[noreturn, gnu::cold]] void refuse_pe(int pe, int members);
[[noreturn, gnu::cold]] void refuse_root(int root, int members);  // of a collective
// Before shmem_init, after shmem_finalize, in a child of fork().
[[noreturn, gnu::cold]] void refuse_uninitialised();
[[noreturn, gnu::cold]] void refuse_context();  // SHMEM_CTX_INVALID where a context is needed
[[noreturn, gnu::cold]] void refuse_context_in(const std::string& call);  // as describe_caller() has it
[[noreturn, gnu::cold]] void refuse_team();  // SHMEM_TEAM_INVALID in a collective, or not initialised
// A predefined team or context is destroyed.
[[noreturn, gnu::cold]] void refuse_end_of(const char* predefined);
// Members of a team call different collectives: this one `mine`, `member` `theirs`.
struct Mismatch {
  std::string mine, theirs;  // theirs: empty where only --check would know
  int member;
  bool another_loop;     // operation or type
  bool past = false;     // they have, before this call
  bool counted = false;  // all that is known of the calls before this one is how many there were
};
[[noreturn, gnu::cold]] void refuse_mismatch(const Mismatch& mismatch);
// A second thread calls, though the program has not asked for a level of threads at which it may.
[[noreturn, gnu::cold]] void refuse_thread();
// It is set though this PE holds it, or cleared though it does not.
[[noreturn, gnu::cold]] void refuse_lock(bool held);
// Its word names a PE that there is not.
[[noreturn, gnu::cold]] void refuse_lock_word(int pe);
// [address, address + bytes) is not symmetric memory of this PE; `argument` begins the message.
[[noreturn, gnu::cold]] void refuse_unsymmetric(const char* argument, const void* address, size_t bytes);
[[noreturn, gnu::cold]] void refuse_value(const char* argument, long long value, const char* allowed);
[[noreturn, gnu::cold]] void refuse_null_result(const char* argument);
// Somewhere to write what a routine answers: a null pointer would crash, which says less.
inline void require_result(const char* argument, const void* place) {
  if (__builtin_expect(!place, 0)) refuse_null_result(argument);
}
// Ends the job unless only known bits are set. (The specification does not say what others do: here nothing.)
void require_known_bits(const char* argument, long bits, long known, const char* allowed);

// [address, address + bytes) is symmetric memory of this PE, wholly in one block of the heap or in one static object
// (as far as symbols/symbol_map.hpp knows them), and the address is a multiple of `alignment`. Nothing is asked of 0
// bytes.
void require_symmetric(const char* argument, const void* address, size_t bytes, size_t alignment = 1);
struct KnownBlock {
  const void* begin;
  size_t bytes;
  const void* maker;  // where the call that made it returned to
};
// Sets the function that finds the last block of the heap that begins at an address or before it; without one any place in
// the heap counts as good.
void look_up_heap_blocks_by(std::optional<KnownBlock> (*block_up_to)(const void* address));
// Not null, unless there are 0 bytes; and if it is symmetric, within one object, too.
void require_memory(const char* argument, const void* address, size_t bytes);

// What an argument stands for: `count` pieces of `bytes` each, each `step` behind the one before it.
struct Pieces {
  const char* argument;
  const void* first;
  size_t bytes;
  size_t count = 1, step = 0;
};
// What is written shares no byte with what is read (specification, section 4.2); or it is the very same, where that is
// allowed: in reductions, and where copying leaves all as it is, which old programs do.
enum class Identical { allowed, refused };
void require_disjoint(const Pieces& written, const Pieces& read, Identical identical = Identical::allowed);
// The same of two ranges of one size, for who looks always.
namespace detail {
[[gnu::cold]] void require_apart_or_unchecked(const void* dest, const void* source, size_t bytes);
}
inline void require_apart(const void* dest, const void* source, size_t bytes) {
  const uintptr_t distance = reinterpret_cast<uintptr_t>(dest) - reinterpret_cast<uintptr_t>(source);
  if (__builtin_expect(!ATRIUM_ARE_APART(distance, bytes), 0))
    detail::require_apart_or_unchecked(dest, source, bytes);
}

}  // namespace atrium
