// POSIX threads: creation, join, and what is done once.
// SPDX-License-Identifier: BSD-3-Clause
#include "race/threads/posix.hpp"
#include "race/threads/stack.hpp"

namespace atrium::race {
namespace {

pthread_key_t end_key();

// Called for a thread that ends, in the last round of such calls: what the program's own do, and the destructors of its
// thread-local objects, are the thread's, too. No cleanup handler, because unwinding does not pass through a library that
// has a run time of its own.
void leave_thread(void* rounds_left) {
  const auto rounds = reinterpret_cast<uintptr_t>(rounds_left);
  if (rounds > 1 && pthread_setspecific(end_key(), reinterpret_cast<void*>(rounds - 1)) == 0) return;
  Strand* const strand = here_if_any();
  if (!strand || !following) return;
  strand->last = strand->tick();
  replace(*strand, end_of(pthread_self()));
  end_strand(*strand);
  set_here(nullptr);
}

pthread_key_t end_key() {
  static const pthread_key_t key = [] {
    pthread_key_t made{};
    pthread_key_create(&made, leave_thread);
    return made;
  }();
  return key;
}

// What is done once takes no argument. Nothing runs between its being set and its being read but the library's own code.
struct Once {
  const volatile void* control;
  void (*routine)();
};
__attribute__((tls_model("initial-exec"))) thread_local Once once{};

// Released before the library lets others pass. Nothing is, if the routine ends by an exception: it will be called again.
void run_and_release() {
  const Once mine = once;
  mine.routine();
  released(mine.control);
}

}  // namespace

void note_threads() {
  if (threads_exist) return;
  threads_exist = true;
  update_watch();
}

void enter_thread(Strand* strand) {
  forget_stack();
  set_here(strand);
  pthread_setspecific(end_key(), reinterpret_cast<void*>(uintptr_t{PTHREAD_DESTRUCTOR_ITERATIONS}));
}

void (*once_and_released(const volatile void* control, void (*routine)()))() {
  once = {control, routine};
  return run_and_release;
}

}  // namespace atrium::race

using namespace atrium::race;

#pragma GCC visibility push(default)
extern "C" {

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*routine)(void*),
                   void* argument) {
  return start_thread(routine, argument, [&](void* (*run)(void*), void* data) {
    return REAL(pthread_create)(thread, attributes, run, data);
  });
}

int pthread_join(pthread_t thread, void** result) {
  return joined(REAL(pthread_join)(thread, result), thread);
}
int pthread_tryjoin_np(pthread_t thread, void** result) {
  return joined(REAL(pthread_tryjoin_np)(thread, result), thread);
}
int pthread_timedjoin_np(pthread_t thread, void** result, const timespec* until) {
  return joined(REAL(pthread_timedjoin_np)(thread, result, until), thread);
}
int pthread_clockjoin_np(pthread_t thread, void** result, clockid_t clock, const timespec* until) {
  return joined(call_if_there(REAL(pthread_clockjoin_np), thread, result, clock, until), thread);
}

// std::call_once of GNU's library, too.
int pthread_once(pthread_once_t* control, void (*routine)()) {
  if (!orders_threads()) return REAL(pthread_once)(control, routine);
  const int error = REAL(pthread_once)(control, once_and_released(control, routine));
  acquired(control);
  return error;
}

}  // extern "C"
#pragma GCC visibility pop
