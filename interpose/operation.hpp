// One call of a routine, as tools see it.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>

#include "interpose/contexts.hpp"
#include "interpose/site.hpp"

namespace atrium::interpose {

// What a routine does, whatever its types, and what of a RoutineCall it fills in. The order is that of has_target() and
// keeps_something().
enum class RoutineFamily : uint8_t {
  put,         // ctx, dest, source, count, unit, pe; of a single value (p) no source
  get,         // the same; of a single value (g) no dest
  put_signal,  // the same; signal, how
  atomic,      // ctx, dest, of a plain fetch source, unit, floating, pe; atomic; fetch where nonblocking
  fence,
  quiet,         // ctx
  pe_quiet,      // ctx, pes, count
  ctx_destroy,   // ctx
  team_destroy,  // members, team
  ctx_create,    // members; new_ctx. Result: 0, or there is none
  team_split,    // members: the parent's; new_team, second_team. Result: 0, or there is none
  allocate,      // members, count: bytes; written: with zeros. Result: the block
  free,
  reallocate,    // members, dest; count. Result: the block
  signal_fetch,  // source
  wait,
  test,  // source, count, unit; words; status, of `some` indices. Result: see Words
  set_lock,
  test_lock,
  clear_lock,  // dest. Result of a test: 0, or another PE has it
  barrier,
  sync,  // members
  reduce,
  scan,
  collect,
  fcollect,          // members, dest, source, count, unit: what this PE gives
  alltoall,          // the same: what it gives to each
  broadcast,         // the same; pe: the root, counted in the group
  broadcast_others,  // the same, and the root's dest gets nothing (deprecated)
  init,
  finalize,
  global_exit,  // members of a finalize. Result of init: 0, or it failed
};
inline constexpr size_t families = static_cast<size_t>(RoutineFamily::global_exit) + 1;
constexpr bool has_target(RoutineFamily family) { return family <= RoutineFamily::atomic; }
// Whether it begins or ends a context, a team or a block.
constexpr bool keeps_something(RoutineFamily family) {
  return family >= RoutineFamily::ctx_destroy && family <= RoutineFamily::reallocate;
}

// The PEs that take part.
enum class Members : uint8_t { none, all, team, set };

// What becomes of the word: nothing, a value, what is made of the old one, and of the last two the old one is given back.
enum class Atomic : uint8_t { fetch, set, change, swap, exchange };

// How many words a wait or a test is about. Its result: the number of words for `some`, the place of one or SIZE_MAX for
// `any`, else whether all are as they should be.
enum class Words : uint8_t { one, all, any, some };

// `blocks` blocks of `block` elements; from one to the next so many elements.
struct ElementStrides {
  ptrdiff_t dest = 0, source = 0;
  size_t block = 0, blocks = 0;
};

// Room for what a tool remembers from before() to after(). Nothing is written there until the tool does.
class ToolScratch {
 public:
  ToolScratch() {}

  template <class T, class... Arguments>
  T& make(Arguments&&... arguments) {
    static_assert(sizeof(T) <= sizeof room_ && alignof(T) <= 16);
    return *new (room_) T(std::forward<Arguments>(arguments)...);
  }
  template <class T>
  T& get() {
    return *std::launder(reinterpret_cast<T*>(room_));
  }
  template <class T>
  void end() {
    get<T>().~T();
  }

 private:
  alignas(16) unsigned char room_[192];
};

// Pointers are the program's. Counts are of elements of `unit` bytes. It is made for each call, so it is kept small.
struct RoutineCall {
  Site site;
  RoutineFamily family;
  Members of = Members::none;
  Atomic atomic = Atomic::fetch;
  Words words = Words::one;
  bool nonblocking = false, floating = false, written = false;
  bool open = false;  // the tool's: before() has begun what after() has to end
  shmem_ctx_t ctx = nullptr;
  shmem_team_t team = nullptr;
  void* dest = nullptr;
  const void* source = nullptr;
  size_t count = 0, unit = 0;
  const ElementStrides* strides = nullptr;  // null: no strided operation
  const void* more = nullptr;               // one of those below
  const shmem_team_t* second_team = nullptr;
  int how = 0, pe = -1;

  // Found for the tool while a session lasts.
  int target = -1;                 // pe, by its number in the job; -1: there is none
  PeGroup* group = nullptr;        // of its members; null: this PE is none of them
  ToolContext* context = nullptr;  // of its ctx, if it has a pe
  size_t block_bytes = 0;          // of the block that is freed or allocated again; 0: there is none
  uint64_t block_place = 0;        // and where it was allocated

  uint64_t place = 0;  // the tool's: where, of a block that is allocated or freed
  ToolScratch scratch = {};

  size_t bytes() const { return count * unit; }
  const void* word() const { return dest ? dest : source; }  // of an atomic

  void* fetch() const { return const_cast<void*>(more); }
  const void* signal() const { return more; }
  const int* status() const { return static_cast<const int*>(more); }
  const size_t* indices() const { return static_cast<const size_t*>(more); }
  const int* pes() const { return static_cast<const int*>(more); }
  const ActiveSet& set() const { return *static_cast<const ActiveSet*>(more); }
  shmem_ctx_t new_ctx() const { return *static_cast<const shmem_ctx_t*>(more); }
  shmem_team_t new_team() const { return *static_cast<const shmem_team_t*>(more); }
};

}  // namespace atrium::interpose
