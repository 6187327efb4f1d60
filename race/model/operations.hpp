// What each family of routines means to the check; the generated wrappers call these.
// SPDX-License-Identifier: BSD-3-Clause
//
// Each function is told where it was called and which memory it concerns, and runs the routine itself by `run`. While
// nothing is checked it does only that.
#pragma once

#include <complex>
#include <type_traits>

#include "interpose/openshmem.hpp"
#include "race/model/job.hpp"
#include "race/model/meeting.hpp"
#include "race/model/site.hpp"
#include "race/shadow/slot.hpp"

namespace atrium::race {

template <class T>
constexpr TypeClass class_of() {
  if (std::is_same_v<T, float>) return TypeClass::float32;
  if (std::is_same_v<T, double>) return TypeClass::float64;
  return sizeof(T) == 4 ? TypeClass::int32 : TypeClass::int64;
}

constexpr size_t size_of(TypeClass type) {
  switch (type) {
    case TypeClass::int8:
      return 1;
    case TypeClass::int16:
      return 2;
    case TypeClass::int32:
    case TypeClass::float32:
      return 4;
    default:
      return 8;
  }
}

// nblocks blocks of bsize elements; the distances from one to the next in elements.
struct Strides {
  ptrdiff_t dest, source;
  size_t block, blocks, unit;
};

// One operation, as its wrapper describes it.
struct Transfer {
  Site site;
  shmem_ctx_t ctx;
  const void* remote;
  const void* local;
  size_t bytes;
  int pe;
};

// A PE of a context's team, by its number in the world; -1: none.
int world_pe(shmem_ctx_t ctx, int pe);

void note_put(const Transfer& put, bool nonblocking, bool single);
void note_get(const Transfer& get, bool nonblocking);
void note_put_strided(const Transfer& put, const Strides& strides);
void note_get_strided(const Transfer& get, const Strides& strides);

// Holds the record of a word while an atomic operation changes it.
enum class Atomic { fetch, set, change, swap, exchange };
class AtomicUse {
 public:
  AtomicUse(const Site& site, shmem_ctx_t ctx, const void* word, TypeClass type, int pe, Atomic how,
            const void* fetch);
  ~AtomicUse();
  AtomicUse(const AtomicUse&) = delete;
  AtomicUse& operator=(const AtomicUse&) = delete;

 private:
  alignas(16) unsigned char held_[64];
  bool is_held_;
};

// A put of one element, which programs use to set flags; a put with a signal.
class FlagPut {
 public:
  FlagPut(const Transfer& put);
  ~FlagPut();
  FlagPut(const FlagPut&) = delete;
  FlagPut& operator=(const FlagPut&) = delete;

 private:
  alignas(16) unsigned char held_[64];
  bool is_held_;
};
class SignalPut {
 public:
  SignalPut(const Transfer& put, bool nonblocking, const void* signal, int how);
  ~SignalPut();
  SignalPut(const SignalPut&) = delete;
  SignalPut& operator=(const SignalPut&) = delete;

 private:
  alignas(16) unsigned char held_[64];
  bool is_held_;
};

void note_seen(const Site& site, const void* word, size_t bytes);
void note_fence(const Site& site, shmem_ctx_t ctx);
void note_quiet(const Site& site, shmem_ctx_t ctx);
void note_pe_quiet(const Site& site, shmem_ctx_t ctx, const int* pes, size_t count);
void note_lock(const Site& site, const void* lock);
void note_unlock(const Site& site, const void* lock);

// Which members' data reach whom.
enum class Flow { from_root, all, lower };
class CollectiveUse {
 public:
  CollectiveUse(const Site& site, const Group& group, Flow flow, int root, const void* source,
                size_t source_bytes, uint64_t value = 0);
  // When the routine has run: what it wrote here.
  void wrote(const void* dest, size_t bytes);
  void wrote_strided(const void* dest, ptrdiff_t stride, size_t block, size_t count, size_t unit);
  uint64_t sum_of_values();
  ~CollectiveUse();
  CollectiveUse(const CollectiveUse&) = delete;
  CollectiveUse& operator=(const CollectiveUse&) = delete;

 private:
  void hear_others();
  Site site_;
  Group group_;
  Flow flow_;
  int root_;
  bool heard_ = false;
  alignas(16) unsigned char meeting_[192];
};
class BarrierUse {
 public:
  BarrierUse(const Site& site, const Group& group, bool completes);
  ~BarrierUse();
  BarrierUse(const BarrierUse&) = delete;
  BarrierUse& operator=(const BarrierUse&) = delete;

 private:
  bool used_;
  alignas(16) unsigned char meeting_[192];
};

void note_allocated(const Site& site, void* block, size_t bytes, bool written);
void note_freed(const Site& site, const void* block);
size_t size_of_block(const void* block);
void note_init(const Site& site);
void note_finalize(const Site& site);
void note_exit();
void note_team(shmem_team_t team);
void note_team_end(shmem_team_t team);
void note_context(const void* ctx, shmem_team_t team);
void note_context_end(const Site& site, shmem_ctx_t ctx);

template <class Run>
void put(Site site, shmem_ctx_t ctx, void* dest, const void* source, size_t count, size_t unit, int pe,
         Run run) {
  if (!working) return run();
  if (count == 1 && unit <= 8) {
    const FlagPut use({site, ctx, dest, source, unit, pe});
    return run();
  }
  note_put({site, ctx, dest, source, count * unit, pe}, false, false);
  run();
}

template <class Run>
void p(Site site, shmem_ctx_t ctx, void* dest, size_t unit, int pe, Run run) {
  if (!working) return run();
  if (unit > 8) return note_put({site, ctx, dest, nullptr, unit, pe}, false, true), run();
  const FlagPut use({site, ctx, dest, nullptr, unit, pe});
  run();
}

template <class Run>
void put_nbi(Site site, shmem_ctx_t ctx, void* dest, const void* source, size_t count, size_t unit, int pe,
             Run run) {
  if (working) note_put({site, ctx, dest, source, count * unit, pe}, true, false);
  run();
}

template <class Run>
void get(Site site, shmem_ctx_t ctx, void* dest, const void* source, size_t count, size_t unit, int pe,
         Run run) {
  if (working) note_get({site, ctx, source, dest, count * unit, pe}, false);
  run();
}

template <class Run>
void get_nbi(Site site, shmem_ctx_t ctx, void* dest, const void* source, size_t count, size_t unit, int pe,
             Run run) {
  if (working) note_get({site, ctx, source, dest, count * unit, pe}, true);
  run();
}

template <class Run>
auto g(Site site, shmem_ctx_t ctx, const void* source, size_t unit, int pe, Run run) {
  if (working) note_get({site, ctx, source, nullptr, unit, pe}, false);
  return run();
}

template <class Run>
void put_strided(Site site, shmem_ctx_t ctx, void* dest, const void* source, Strides strides, int pe,
                 Run run) {
  if (working) note_put_strided({site, ctx, dest, source, 0, pe}, strides);
  run();
}

template <class Run>
void get_strided(Site site, shmem_ctx_t ctx, void* dest, const void* source, Strides strides, int pe,
                 Run run) {
  if (working) note_get_strided({site, ctx, source, dest, 0, pe}, strides);
  run();
}

#define RACE_ATOMIC(name, how)                                                               \
  template <class Run>                                                                       \
  auto name(Site site, shmem_ctx_t ctx, const void* word, TypeClass type, int pe, Run run) { \
    const AtomicUse use(site, ctx, word, type, pe, how, nullptr);                            \
    return run();                                                                            \
  }
RACE_ATOMIC(atomic_fetch, Atomic::fetch)
RACE_ATOMIC(atomic_set, Atomic::set)
RACE_ATOMIC(atomic_change, Atomic::change)
RACE_ATOMIC(atomic_swap, Atomic::swap)
RACE_ATOMIC(atomic_exchange, Atomic::exchange)
#undef RACE_ATOMIC

#define RACE_ATOMIC_NBI(name, how)                                                                        \
  template <class Run>                                                                                    \
  void name(Site site, shmem_ctx_t ctx, void* fetch, const void* word, TypeClass type, int pe, Run run) { \
    const AtomicUse use(site, ctx, word, type, pe, how, fetch);                                           \
    run();                                                                                                \
  }
RACE_ATOMIC_NBI(atomic_fetch_nbi, Atomic::fetch)
RACE_ATOMIC_NBI(atomic_swap_nbi, Atomic::swap)
RACE_ATOMIC_NBI(atomic_exchange_nbi, Atomic::exchange)
#undef RACE_ATOMIC_NBI

template <class Run>
void put_signal(Site site, shmem_ctx_t ctx, void* dest, const void* source, size_t count, size_t unit,
                uint64_t* signal, int how, int pe, Run run) {
  const SignalPut use({site, ctx, dest, source, count * unit, pe}, false, signal, how);
  run();
}

template <class Run>
void put_signal_nbi(Site site, shmem_ctx_t ctx, void* dest, const void* source, size_t count, size_t unit,
                    uint64_t* signal, int how, int pe, Run run) {
  const SignalPut use({site, ctx, dest, source, count * unit, pe}, true, signal, how);
  run();
}

template <class Run>
uint64_t signal_fetch(Site site, const uint64_t* word, Run run) {
  const uint64_t value = run();
  if (working) note_seen(site, word, sizeof *word);
  return value;
}

template <class Run>
auto wait_until(Site site, const void* word, size_t unit, Run run) {
  if constexpr (std::is_void_v<decltype(run())>) {
    run();
    if (working) note_seen(site, word, unit);
  } else {
    const auto value = run();
    if (working) note_seen(site, word, unit);
    return value;
  }
}

template <class Run>
int test(Site site, const void* word, size_t unit, Run run) {
  const int met = run();
  if (met && working) note_seen(site, word, unit);
  return met;
}

inline void note_all_seen(Site site, const void* words, size_t count, const int* status, size_t unit) {
  for (size_t i = 0; working && i < count; ++i)
    if (!status || status[i] == 0) note_seen(site, static_cast<const char*>(words) + i * unit, unit);
}

template <class Run>
void wait_until_all(Site site, const void* words, size_t count, const int* status, size_t unit, Run run) {
  run();
  note_all_seen(site, words, count, status, unit);
}

template <class Run>
int test_all(Site site, const void* words, size_t count, const int* status, size_t unit, Run run) {
  const int met = run();
  if (met) note_all_seen(site, words, count, status, unit);
  return met;
}

// Waits and tests for any of some words answer an index, or SIZE_MAX.
template <class Run>
size_t wait_until_any(Site site, const void* words, size_t count, const int*, size_t unit, Run run) {
  const size_t index = run();
  if (index < count && working) note_seen(site, static_cast<const char*>(words) + index * unit, unit);
  return index;
}

template <class Run>
size_t wait_until_some(Site site, const void* words, size_t, const size_t* indices, size_t unit, Run run) {
  const size_t met = run();
  for (size_t i = 0; working && i < met; ++i)
    note_seen(site, static_cast<const char*>(words) + indices[i] * unit, unit);
  return met;
}

template <class Run>
size_t test_any(Site site, const void* words, size_t count, const int* status, size_t unit, Run run) {
  return wait_until_any(site, words, count, status, unit, run);
}
template <class Run>
size_t test_some(Site site, const void* words, size_t count, const size_t* indices, size_t unit, Run run) {
  return wait_until_some(site, words, count, indices, unit, run);
}

template <class Run>
void fence(Site site, shmem_ctx_t ctx, Run run) {
  run();
  if (working) note_fence(site, ctx);
}

template <class Run>
void quiet(Site site, shmem_ctx_t ctx, Run run) {
  run();
  if (working) note_quiet(site, ctx);
}

template <class Run>
void pe_quiet(Site site, shmem_ctx_t ctx, const int* pes, size_t count, Run run) {
  run();
  if (working) note_pe_quiet(site, ctx, pes, count);
}

template <class Run>
void set_lock(Site site, long* lock, Run run) {
  run();
  if (working) note_lock(site, lock);
}

template <class Run>
int test_lock(Site site, long* lock, Run run) {
  const int taken_by_others = run();
  if (!taken_by_others && working) note_lock(site, lock);
  return taken_by_others;
}

template <class Run>
void clear_lock(Site site, long* lock, Run run) {
  if (working) note_unlock(site, lock);
  run();
}

template <class Run>
auto barrier_like(Site site, const Group& group, bool completes, Run run) {
  const BarrierUse use(site, group, completes);
  return run();
}
template <class Run>
void barrier_all(Site site, Run run) {
  if (!working) return run();
  barrier_like(site, Group::world(), true, run);
}
template <class Run>
void sync_all(Site site, Run run) {
  if (!working) return run();
  barrier_like(site, Group::world(), false, run);
}
template <class Run>
auto barrier(Site site, const Group& group, Run run) {
  return barrier_like(site, group, true, run);
}
template <class Run>
auto sync(Site site, const Group& group, Run run) {
  return barrier_like(site, group, false, run);
}

// The routine runs between entry and exit; then `done` says what it wrote.
template <class Run, class Done>
auto collective(Site site, const Group& group, Flow flow, int root, const void* source, size_t source_bytes,
                uint64_t value, Run run, Done done) {
  if (!working || group.meeting < 0) return run();
  CollectiveUse use(site, group, flow, root, source, source_bytes, value);
  if constexpr (std::is_void_v<decltype(run())>) {
    run();
    done(use);
  } else {
    const auto status = run();
    done(use);
    return status;
  }
}

template <class Run>
auto reduce(Site site, const Group& group, void* dest, const void* source, size_t count, size_t unit,
            Run run) {
  return collective(site, group, Flow::all, 0, source, count * unit, 0, run,
                    [&](CollectiveUse& use) { use.wrote(dest, count * unit); });
}
template <class Run>
auto scan(Site site, const Group& group, void* dest, const void* source, size_t count, size_t unit, Run run) {
  return collective(site, group, Flow::lower, 0, source, count * unit, 0, run,
                    [&](CollectiveUse& use) { use.wrote(dest, count * unit); });
}
template <class Run>
auto broadcast(Site site, const Group& group, void* dest, const void* source, size_t count, size_t unit,
               int root, Run run) {
  return collective(site, group, Flow::from_root, root, group.rank == root ? source : nullptr, count * unit,
                    0, run, [&](CollectiveUse& use) { use.wrote(dest, count * unit); });
}
template <class Run>
auto broadcast_others(Site site, const Group& group, void* dest, const void* source, size_t count,
                      size_t unit, int root, Run run) {
  return collective(site, group, Flow::from_root, root, group.rank == root ? source : nullptr, count * unit,
                    0, run, [&](CollectiveUse& use) {
                      if (group.rank != root) use.wrote(dest, count * unit);
                    });
}
template <class Run>
auto fcollect(Site site, const Group& group, void* dest, const void* source, size_t count, size_t unit,
              Run run) {
  return collective(site, group, Flow::all, 0, source, count * unit, 0, run, [&](CollectiveUse& use) {
    use.wrote(dest, count * unit * static_cast<size_t>(group.size));
  });
}
template <class Run>
auto collect(Site site, const Group& group, void* dest, const void* source, size_t count, size_t unit,
             Run run) {
  return collective(site, group, Flow::all, 0, source, count * unit, count, run,
                    [&](CollectiveUse& use) { use.wrote(dest, use.sum_of_values() * unit); });
}
template <class Run>
auto alltoall(Site site, const Group& group, void* dest, const void* source, size_t count, size_t unit,
              Run run) {
  const size_t bytes = count * unit * static_cast<size_t>(group.size);
  return collective(site, group, Flow::all, 0, source, bytes, 0, run,
                    [&](CollectiveUse& use) { use.wrote(dest, bytes); });
}
template <class Run>
auto alltoalls(Site site, const Group& group, void* dest, const void* source, ptrdiff_t dest_stride,
               ptrdiff_t source_stride, size_t count, size_t unit, Run run) {
  const size_t blocks = count * static_cast<size_t>(group.size);
  const size_t reach = blocks == 0 ? 0 : ((blocks - 1) * static_cast<size_t>(source_stride) + 1) * unit;
  return collective(site, group, Flow::all, 0, source_stride == 1 ? source : nullptr, reach, 0, run,
                    [&](CollectiveUse& use) { use.wrote_strided(dest, dest_stride, 1, blocks, unit); });
}

template <class Run>
void* symmetric_malloc(Site site, size_t bytes, Run run) {
  void* const block = run();
  if (working && bytes != 0) note_allocated(site, block, bytes, false);
  return block;
}
template <class Run>
void* symmetric_calloc(Site site, size_t bytes, Run run) {
  void* const block = run();
  if (working && bytes != 0) note_allocated(site, block, bytes, true);
  return block;
}
template <class Run>
void symmetric_free(Site site, void* block, Run run) {
  if (working && block) note_freed(site, block);
  run();
}
template <class Run>
void* symmetric_realloc(Site site, void* block, size_t bytes, Run run) {
  const size_t before = working && block ? size_of_block(block) : 0;
  if (before != 0) note_freed(site, block);
  void* const moved = run();
  if (moved && working) note_allocated(site, moved, bytes, true);
  if (!moved && bytes != 0 && before != 0) note_allocated(site, block, before, true);
  return moved;
}

template <class Run>
auto init(Site site, Run run) {
  if constexpr (std::is_void_v<decltype(run())>) {
    run();
    note_init(site);
  } else {
    const auto status = run();
    note_init(site);
    return status;
  }
}
template <class Run>
void finalize(Site site, Run run) {
  note_finalize(site);
  run();
}
template <class Run>
[[noreturn]] void global_exit(Site, Run run) {
  note_exit();
  run();
  __builtin_unreachable();
}

// Creating teams synchronises the parent team.
template <class Run>
int team_split_strided(Site site, shmem_team_t parent, shmem_team_t* team, Run run) {
  if (!working) return run();
  const BarrierUse use(site, Group::of_team(parent), false);
  const int status = run();
  note_team(*team);
  return status;
}
template <class Run>
int team_split_2d(Site site, shmem_team_t parent, shmem_team_t* x, shmem_team_t* y, Run run) {
  if (!working) return run();
  const BarrierUse use(site, Group::of_team(parent), false);
  const int status = run();
  if (status == 0) note_team(*x), note_team(*y);
  return status;
}
template <class Run>
void team_destroy(Site, shmem_team_t team, Run run) {
  if (working) note_team_end(team);
  run();
}
template <class Run>
int ctx_create(Site, shmem_team_t team, shmem_ctx_t* ctx, Run run) {
  const int status = run();
  if (working && status == 0) note_context(*ctx, team);
  return status;
}
template <class Run>
int team_create_ctx(Site site, shmem_team_t team, shmem_ctx_t* ctx, Run run) {
  return ctx_create(site, team, ctx, run);
}
template <class Run>
void ctx_destroy(Site site, shmem_ctx_t ctx, Run run) {
  if (working) note_context_end(site, ctx);  // before another thread gets the same handle
  run();
}

}  // namespace atrium::race
