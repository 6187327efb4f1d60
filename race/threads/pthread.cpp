// POSIX threads: creation, join, and what they wait for each other by.
// SPDX-License-Identifier: BSD-3-Clause
#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>

#include <atomic>

#include "race/model/access.hpp"
#include "race/threads/sync.hpp"
#include "race/threads/threads.hpp"

namespace atrium::race {
namespace {

// The routine behind ours, in the version that programs get today where there are several.
template <class Function>
Function* real(std::atomic<void*>& known, const char* name, const char* version) {
  void* found = known.load(std::memory_order_relaxed);
  if (found) return reinterpret_cast<Function*>(found);
  if (version) found = dlvsym(RTLD_NEXT, name, version);
  if (!found) found = dlsym(RTLD_NEXT, name);
  known.store(found, std::memory_order_relaxed);
  return reinterpret_cast<Function*>(found);
}
#define REAL_OF(version, name)                            \
  ([]() -> decltype(::name)* {                            \
    static std::atomic<void*> known{nullptr};             \
    return real<decltype(::name)>(known, #name, version); \
  }())
#define REAL(name) REAL_OF(nullptr, name)

struct Start {
  void* (*routine)(void*);
  void* argument;
  Strand* strand;
};

// What a thread has done, for who joins it.
Knowledge& end_of(pthread_t thread) { return knowledge_at(reinterpret_cast<const volatile void*>(thread)); }

// The stack may have been another thread's.
void claim_stack() {
  pthread_attr_t attributes;
  void* base = nullptr;
  size_t bytes = 0;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return;
  if (pthread_attr_getstack(&attributes, &base, &bytes) == 0)
    forget_private(reinterpret_cast<uintptr_t>(base), bytes);
  pthread_attr_destroy(&attributes);
}

// Runs also when the thread ends by pthread_exit or is cancelled.
void leave_thread(void*) {
  Strand* const strand = here_if_any();
  if (!strand || !working) return;
  replace(*strand, end_of(pthread_self()));
  end_strand(*strand);
  set_here(nullptr);
}

void* run_thread(void* data) {
  const Start start = *static_cast<Start*>(data);
  delete static_cast<Start*>(data);
  claim_stack();
  set_here(start.strand);
  void* result = nullptr;
  pthread_cleanup_push(leave_thread, nullptr);
  result = start.routine(start.argument);
  pthread_cleanup_pop(1);
  return result;
}

bool active() { return working && threads_exist && !Inside::now(); }

// Some libraries lock where memory is mapped, which the tool does for its records.
void acquired(const volatile void* object) {
  if (!active()) return;
  const Inside inside;
  take(here(), knowledge_at(object));
}
void released(const volatile void* object) {
  if (!active()) return;
  const Inside inside;
  leave(here(), knowledge_at(object));
}

}  // namespace

void note_threads() {
  if (threads_exist) return;
  threads_exist = true;
  if (job.instrumented) watch_private(true);
}

}  // namespace atrium::race

using namespace atrium::race;

#pragma GCC visibility push(default)
extern "C" {

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*routine)(void*),
                   void* argument) {
  if (!working || Inside::now()) return REAL(pthread_create)(thread, attributes, routine, argument);
  note_threads();
  Strand& creator = here();
  auto* start = new Start{routine, argument, &begin_strand(&creator)};
  creator.advance();
  const int error = REAL(pthread_create)(thread, attributes, run_thread, start);
  if (error != 0) {
    end_strand(*start->strand);
    delete start;
  }
  return error;
}

int pthread_join(pthread_t thread, void** result) {
  const int error = REAL(pthread_join)(thread, result);
  if (error == 0 && active()) take(here(), end_of(thread));
  return error;
}

int pthread_mutex_lock(pthread_mutex_t* mutex) {
  const int error = REAL(pthread_mutex_lock)(mutex);
  if (error == 0) acquired(mutex);
  return error;
}
int pthread_mutex_trylock(pthread_mutex_t* mutex) {
  const int error = REAL(pthread_mutex_trylock)(mutex);
  if (error == 0) acquired(mutex);
  return error;
}
int pthread_mutex_unlock(pthread_mutex_t* mutex) {
  released(mutex);
  return REAL(pthread_mutex_unlock)(mutex);
}

int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
  released(mutex);
  const int error = REAL_OF("GLIBC_2.3.2", pthread_cond_wait)(condition, mutex);
  acquired(mutex);
  return error;
}
int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex, const timespec* until) {
  released(mutex);
  const int error = REAL_OF("GLIBC_2.3.2", pthread_cond_timedwait)(condition, mutex, until);
  acquired(mutex);
  return error;
}

int pthread_rwlock_rdlock(pthread_rwlock_t* lock) {
  const int error = REAL(pthread_rwlock_rdlock)(lock);
  if (error == 0) acquired(lock);
  return error;
}
int pthread_rwlock_wrlock(pthread_rwlock_t* lock) {
  const int error = REAL(pthread_rwlock_wrlock)(lock);
  if (error == 0) acquired(lock);
  return error;
}
int pthread_rwlock_unlock(pthread_rwlock_t* lock) {
  released(lock);
  return REAL(pthread_rwlock_unlock)(lock);
}

int pthread_spin_lock(pthread_spinlock_t* lock) {
  const int error = REAL(pthread_spin_lock)(lock);
  if (error == 0) acquired(lock);
  return error;
}
int pthread_spin_unlock(pthread_spinlock_t* lock) {
  released(lock);
  return REAL(pthread_spin_unlock)(lock);
}

int pthread_barrier_wait(pthread_barrier_t* barrier) {
  released(barrier);
  const int status = REAL(pthread_barrier_wait)(barrier);
  acquired(barrier);
  return status;
}

int sem_post(sem_t* semaphore) {
  released(semaphore);
  return REAL(sem_post)(semaphore);
}
int sem_wait(sem_t* semaphore) {
  const int error = REAL(sem_wait)(semaphore);
  if (error == 0) acquired(semaphore);
  return error;
}

}  // extern "C"
#pragma GCC visibility pop
