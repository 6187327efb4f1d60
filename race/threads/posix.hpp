// What the wrappers of POSIX and C11 threads share: the routines behind ours, and the edges that they stand for.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <pthread.h>

#include <atomic>
#include <cerrno>

#include "race/model/access.hpp"
#include "race/threads/next.hpp"
#include "race/threads/sync.hpp"
#include "race/threads/threads.hpp"

namespace atrium::race {

// next_routine, and what it found the last time; nullptr: this C library is older than the routine.
template <class Function>
Function* real(std::atomic<void*>& known, const char* name, const char* version) {
  void* found = known.load(std::memory_order_relaxed);
  if (found) return reinterpret_cast<Function*>(found);
  found = next_routine(name, version);
  known.store(found, std::memory_order_relaxed);
  return reinterpret_cast<Function*>(found);
}
#define REAL_OF(version, name)                            \
  ([]() -> decltype(::name)* {                            \
    static std::atomic<void*> known{nullptr};             \
    return real<decltype(::name)>(known, #name, version); \
  }())
#define REAL(name) REAL_OF(nullptr, name)

// Routines that came with glibc 2.30 and 2.31: a program that asks whether they are there finds ours.
template <class Function, class... Arguments>
int call_if_there(Function* routine, Arguments... arguments) {
  return routine ? routine(arguments...) : ENOSYS;
}

// What a routine that locks has answered: a mutex whose owner has died is locked, too.
inline int locked(int error, const volatile void* object) {
  if (error == 0 || error == EOWNERDEAD) acquired(object);
  return error;
}

// What a thread has done, for the thread that joins it.
inline Knowledge& end_of(pthread_t thread) {
  return knowledge_at(reinterpret_cast<const volatile void*>(thread));
}
inline int joined(int error, pthread_t thread) {
  if (error == 0 && orders_threads()) take(here(), end_of(thread));
  return error;
}

// Until the thread ends, by whatever way.
void enter_thread(Strand* strand);

template <class Result>
struct Start {
  Result (*routine)(void*);
  void* argument;
  Strand* strand;
};

template <class Result>
Result run_thread(void* data) {
  const auto start = *static_cast<Start<Result>*>(data);
  delete static_cast<Start<Result>*>(data);
  enter_thread(start.strand);
  return start.routine(start.argument);
}

// Calls create(routine, argument), which answers 0 when the thread has been made, with what makes it a strand.
template <class Result, class Create>
int start_thread(Result (*routine)(void*), void* argument, Create create) {
  if (!following || Inside::now()) return create(routine, argument);
  note_threads();
  Strand& creator = here();
  auto* start = new Start<Result>{routine, argument, &begin_strand(&creator)};
  creator.advance();
  const int error = create(run_thread<Result>, start);
  if (error != 0) {
    end_strand(*start->strand);
    delete start;
  }
  return error;
}

// For routines that call `routine` unless it has been called for this control: calls it, and what it has done precedes
// what a thread does that acquires the control. To be called at once, by this thread.
void (*once_and_released(const volatile void* control, void (*routine)()))();

}  // namespace atrium::race
