// Threads of C11, whose routines call inner functions of the C library, which cannot be wrapped. An older library has none.
// SPDX-License-Identifier: BSD-3-Clause
#if __has_include(<threads.h>)
#include <threads.h>

#include "race/threads/posix.hpp"

using namespace atrium::race;

static_assert(std::is_same_v<thrd_t, pthread_t> && thrd_success == 0,
              "they are POSIX threads by another name");

#pragma GCC visibility push(default)
extern "C" {

int thrd_create(thrd_t* thread, thrd_start_t routine, void* argument) {
  return start_thread(routine, argument,
                      [&](thrd_start_t run, void* data) { return REAL(thrd_create)(thread, run, data); });
}
int thrd_join(thrd_t thread, int* result) { return joined(REAL(thrd_join)(thread, result), thread); }

int mtx_lock(mtx_t* mutex) { return locked(REAL(mtx_lock)(mutex), mutex); }
int mtx_trylock(mtx_t* mutex) { return locked(REAL(mtx_trylock)(mutex), mutex); }
int mtx_timedlock(mtx_t* mutex, const timespec* until) {
  return locked(REAL(mtx_timedlock)(mutex, until), mutex);
}
int mtx_unlock(mtx_t* mutex) {
  released(mutex);
  return REAL(mtx_unlock)(mutex);
}

int cnd_wait(cnd_t* condition, mtx_t* mutex) {
  released(mutex);
  const int error = REAL(cnd_wait)(condition, mutex);
  acquired(mutex);
  return error;
}
int cnd_timedwait(cnd_t* condition, mtx_t* mutex, const timespec* until) {
  released(mutex);
  const int error = REAL(cnd_timedwait)(condition, mutex, until);
  acquired(mutex);
  return error;
}

void call_once(once_flag* control, void (*routine)()) {
  if (!orders_threads()) return REAL(call_once)(control, routine);
  REAL(call_once)(control, once_and_released(control, routine));
  acquired(control);
}

}  // extern "C"
#pragma GCC visibility pop
#endif
