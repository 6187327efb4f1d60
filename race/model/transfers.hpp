// What puts and gets, blocking, nonblocking and strided, read and write, and when they are complete.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "race/model/job.hpp"
#include "race/model/synchronising.hpp"
#include "race/model/transfer.hpp"

namespace atrium::race {

void note_put(const Transfer& put, bool nonblocking, bool single);
void note_get(const Transfer& get, bool nonblocking);
void note_put_strided(const Transfer& put, const Strides& strides);
void note_get_strided(const Transfer& get, const Strides& strides);

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

}  // namespace atrium::race
