// What each family of routines means to the profile; the generated wrappers call these.
// SPDX-License-Identifier: BSD-3-Clause
//
// Each function is told where it was called and which memory it concerns, and runs the routine itself by `run`.
#pragma once

#include <complex>
#include <type_traits>

#include "interpose/library.hpp"
#include "profile/record/blocks.hpp"
#include "profile/record/call.hpp"
#include "profile/record/gathering.hpp"
#include "profile/record/setup.hpp"

namespace atrium::profile {

// The wrappers tell the type of an atomic; here its size is enough.
template <class T>
constexpr size_t class_of() {
  return sizeof(T);
}

// nblocks blocks of bsize elements; the distances from one to the next in elements.
struct Strides {
  ptrdiff_t dest, source;
  size_t block, blocks, unit;
};

template <class Run>
auto book(const Site& site, const What& what, Run run) {
  const Call call(site, what);
  return run();
}

inline What put_to(shmem_ctx_t ctx, int pe, size_t bytes, const void* place) {
  return {Role::put, job_pe(ctx, pe), bytes, place};
}
inline What got_from(shmem_ctx_t ctx, int pe, size_t bytes) {
  return {Role::get, job_pe(ctx, pe), bytes, nullptr};
}

#define PROFILE_PUT(name)                                                                           \
  template <class Run>                                                                              \
  void name(Site site, shmem_ctx_t ctx, void* dest, const void*, size_t count, size_t unit, int pe, \
            Run run) {                                                                              \
    book(site, put_to(ctx, pe, count* unit, dest), run);                                            \
  }
PROFILE_PUT(put)
PROFILE_PUT(put_nbi)
#undef PROFILE_PUT

#define PROFILE_GET(name)                                                                                 \
  template <class Run>                                                                                    \
  void name(Site site, shmem_ctx_t ctx, void*, const void*, size_t count, size_t unit, int pe, Run run) { \
    book(site, got_from(ctx, pe, count* unit), run);                                                      \
  }
PROFILE_GET(get)
PROFILE_GET(get_nbi)
#undef PROFILE_GET

template <class Run>
void p(Site site, shmem_ctx_t ctx, void* dest, size_t unit, int pe, Run run) {
  book(site, put_to(ctx, pe, unit, dest), run);
}
template <class Run>
auto g(Site site, shmem_ctx_t ctx, const void*, size_t unit, int pe, Run run) {
  return book(site, got_from(ctx, pe, unit), run);
}
template <class Run>
void put_strided(Site site, shmem_ctx_t ctx, void* dest, const void*, Strides strides, int pe, Run run) {
  book(site, put_to(ctx, pe, strides.block * strides.blocks * strides.unit, dest), run);
}
template <class Run>
void get_strided(Site site, shmem_ctx_t ctx, void*, const void*, Strides strides, int pe, Run run) {
  book(site, got_from(ctx, pe, strides.block * strides.blocks * strides.unit), run);
}

// What fetches counts as a get; in the trace it is a store that may end a wait, like the others.
#define PROFILE_ATOMIC(name)                                                              \
  template <class Run>                                                                    \
  auto name(Site site, shmem_ctx_t ctx, const void* word, size_t unit, int pe, Run run) { \
    return book(site, put_to(ctx, pe, unit, word), run);                                  \
  }
PROFILE_ATOMIC(atomic_set)
PROFILE_ATOMIC(atomic_change)
PROFILE_ATOMIC(atomic_swap)
PROFILE_ATOMIC(atomic_exchange)
#undef PROFILE_ATOMIC
template <class Run>
auto atomic_fetch(Site site, shmem_ctx_t ctx, const void*, size_t unit, int pe, Run run) {
  return book(site, got_from(ctx, pe, unit), run);
}

#define PROFILE_ATOMIC_NBI(name)                                                                 \
  template <class Run>                                                                           \
  void name(Site site, shmem_ctx_t ctx, void*, const void* word, size_t unit, int pe, Run run) { \
    book(site, put_to(ctx, pe, unit, word), run);                                                \
  }
PROFILE_ATOMIC_NBI(atomic_swap_nbi)
PROFILE_ATOMIC_NBI(atomic_exchange_nbi)
#undef PROFILE_ATOMIC_NBI
template <class Run>
void atomic_fetch_nbi(Site site, shmem_ctx_t ctx, void*, const void*, size_t unit, int pe, Run run) {
  book(site, got_from(ctx, pe, unit), run);
}

// In the trace such a put ends a wait for its signal.
#define PROFILE_PUT_SIGNAL(name)                                                                         \
  template <class Run>                                                                                   \
  void name(Site site, shmem_ctx_t ctx, void*, const void*, size_t count, size_t unit, uint64_t* signal, \
            int, int pe, Run run) {                                                                      \
    book(site, put_to(ctx, pe, count* unit, signal), run);                                               \
  }
PROFILE_PUT_SIGNAL(put_signal)
PROFILE_PUT_SIGNAL(put_signal_nbi)
#undef PROFILE_PUT_SIGNAL

template <class Run>
uint64_t signal_fetch(Site site, const uint64_t*, Run run) {
  return book(site, {}, run);
}

template <class Run>
auto wait_on(Site site, const void* words, size_t bytes, Run run) {
  return book(site, {Role::wait, -1, 0, words, bytes}, run);
}
template <class Run>
auto wait_until(Site site, const void* word, size_t unit, Run run) {
  return wait_on(site, word, unit, run);
}
template <class Run>
void wait_until_all(Site site, const void* words, size_t count, const int*, size_t unit, Run run) {
  wait_on(site, words, count * unit, run);
}
template <class Run>
size_t wait_until_any(Site site, const void* words, size_t count, const int*, size_t unit, Run run) {
  return wait_on(site, words, count * unit, run);
}
template <class Run>
size_t wait_until_some(Site site, const void* words, size_t count, const size_t*, size_t unit, Run run) {
  return wait_on(site, words, count * unit, run);
}

template <class Run>
int test(Site site, const void*, size_t, Run run) {
  return book(site, {}, run);
}
template <class Run>
int test_all(Site site, const void*, size_t, const int*, size_t, Run run) {
  return book(site, {}, run);
}
template <class Run>
size_t test_any(Site site, const void*, size_t, const int*, size_t, Run run) {
  return book(site, {}, run);
}
template <class Run>
size_t test_some(Site site, const void*, size_t, const size_t*, size_t, Run run) {
  return book(site, {}, run);
}

template <class Run>
void fence(Site site, shmem_ctx_t, Run run) {
  book(site, {}, run);
}
template <class Run>
void quiet(Site site, shmem_ctx_t, Run run) {
  wait_on(site, nullptr, 0, run);
}
template <class Run>
void pe_quiet(Site site, shmem_ctx_t, const int*, size_t, Run run) {
  wait_on(site, nullptr, 0, run);
}
template <class Run>
void set_lock(Site site, long*, Run run) {
  wait_on(site, nullptr, 0, run);
}
template <class Run>
int test_lock(Site site, long*, Run run) {
  return book(site, {}, run);
}
template <class Run>
void clear_lock(Site site, long*, Run run) {
  book(site, {}, run);
}

// Where members wait for each other.
template <class Run>
auto collective(const Site& site, const Group& group, DataFlow flow, int root, size_t bytes, Run run) {
  if (!present) return run();
  Call call(site, {Role::local, -1, bytes, nullptr});
  const Gathered gathered(call, group, flow, root);
  return run();
}
template <class Run>
auto barrier(Site site, const Group& group, Run run) {
  return collective(site, group, DataFlow::all, 0, 0, run);
}
template <class Run>
auto sync(Site site, const Group& group, Run run) {
  return barrier(site, group, run);
}
template <class Run>
void barrier_all(Site site, Run run) {
  barrier(site, Group::world(), run);
}
template <class Run>
void sync_all(Site site, Run run) {
  barrier(site, Group::world(), run);
}

// Bytes are those that a member gives.
#define PROFILE_COLLECTIVE(name, flow, parts)                                                        \
  template <class Run>                                                                               \
  auto name(Site site, const Group& group, void*, const void*, size_t count, size_t unit, Run run) { \
    return collective(site, group, flow, 0, count * unit * static_cast<size_t>(parts), run);         \
  }
PROFILE_COLLECTIVE(reduce, DataFlow::all, 1)
PROFILE_COLLECTIVE(scan, DataFlow::lower, 1)
PROFILE_COLLECTIVE(fcollect, DataFlow::all, 1)
PROFILE_COLLECTIVE(collect, DataFlow::all, 1)
PROFILE_COLLECTIVE(alltoall, DataFlow::all, members_of_group(group))
#undef PROFILE_COLLECTIVE
template <class Run>
auto alltoalls(Site site, const Group& group, void* dest, const void* source, ptrdiff_t, ptrdiff_t,
               size_t count, size_t unit, Run run) {
  return alltoall(site, group, dest, source, count, unit, run);
}
template <class Run>
auto broadcast(Site site, const Group& group, void*, const void*, size_t count, size_t unit, int root,
               Run run) {
  return collective(site, group, DataFlow::from_root, root, count * unit, run);
}
template <class Run>
auto broadcast_others(Site site, const Group& group, void* dest, const void* source, size_t count,
                      size_t unit, int root, Run run) {
  return broadcast(site, group, dest, source, count, unit, root, run);
}

// The heap is everybody's: its routines end with a barrier.
template <class Run>
void* symmetric_malloc(Site site, size_t bytes, Run run) {
  if (!present) return run();
  unsigned line = 0;
  void* const block = collective(site, Group::world(), DataFlow::all, 0, bytes, run);
  line = recording ? line_of(site) : 0;
  note_allocated(line, block, bytes);
  return block;
}
template <class Run>
void* symmetric_calloc(Site site, size_t bytes, Run run) {
  return symmetric_malloc(site, bytes, run);
}
template <class Run>
void symmetric_free(Site site, void* block, Run run) {
  if (present && block) note_freed(block);
  collective(site, Group::world(), DataFlow::all, 0, 0, run);
}
template <class Run>
void* symmetric_realloc(Site site, void* block, size_t bytes, Run run) {
  if (!present) return run();
  const size_t before = size_of_block(block);
  void* const moved = collective(site, Group::world(), DataFlow::all, 0, bytes, run);
  if (!moved && bytes != 0) return moved;  // the block is as it was
  if (before != 0) note_freed(block);
  note_allocated(recording ? line_of(site) : 0, moved, bytes);
  return moved;
}

template <class Run>
auto init(Site, Run run) {
  interpose::need_library();
  const auto threaded = [] {
    int level = SHMEM_THREAD_SINGLE;
    pshmem_query_thread(&level);
    return level == SHMEM_THREAD_MULTIPLE;
  };
  if constexpr (std::is_void_v<decltype(run())>) {
    run();
    begin_recording(threaded());
  } else {
    const auto status = run();
    begin_recording(threaded());
    return status;
  }
}
template <class Run>
void finalize(Site site, Run run) {
  collective(site, Group::world(), DataFlow::all, 0, 0, run);
  int initialized = 0;
  pshmem_query_initialized(&initialized);
  if (!initialized) end_recording();
}
// The call that a PE ends in.
template <class Run>
[[noreturn]] void global_exit(Site site, Run run) {
  const Call call(site, {});
  run();
  __builtin_unreachable();
}

template <class Run>
int team_split_strided(Site site, shmem_team_t parent, shmem_team_t* team, Run run) {
  if (!present) return run();
  const int status = collective(site, Group::of_team(parent), DataFlow::all, 0, 0, run);
  add_team(*team);
  return status;
}
template <class Run>
int team_split_2d(Site site, shmem_team_t parent, shmem_team_t* x, shmem_team_t* y, Run run) {
  if (!present) return run();
  const int status = collective(site, Group::of_team(parent), DataFlow::all, 0, 0, run);
  if (status == 0) add_team(*x), add_team(*y);
  return status;
}
template <class Run>
void team_destroy(Site, shmem_team_t team, Run run) {
  if (present) remove_team(team);
  run();
}
template <class Run>
int team_create_ctx(Site, shmem_team_t team, shmem_ctx_t* ctx, Run run) {
  const int status = run();
  if (present && status == 0) add_context(*ctx, team);
  return status;
}
template <class Run>
int ctx_create(Site site, shmem_team_t team, shmem_ctx_t* ctx, Run run) {
  return team_create_ctx(site, team, ctx, run);
}
template <class Run>
void ctx_destroy(Site, shmem_ctx_t ctx, Run run) {
  if (present) remove_context(ctx);
  run();
}

}  // namespace atrium::profile
