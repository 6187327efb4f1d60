// Starts and joins a thread of the library, and remembers its id, so that it is not taken for the program's.
// SPDX-License-Identifier: BSD-3-Clause
#include "network/background_thread.hpp"

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <mutex>
#include <vector>

#include "atrium_machine.h"
#include "core/never_destroyed.hpp"
#include "network/last_thread.hpp"
#include "os/threads.hpp"

namespace atrium {
namespace {

struct Running {
  std::mutex mutex;
  std::vector<int> ids;
};
ATRIUM_CONSTINIT_VECTOR NeverDestroyed<Running> kept_running;  // threads end with the process
constinit atrium_cpu_mask cpus_of_threads{};                   // none: a new thread stays where it is
Running& running() { return kept_running.object; }

void note_begin(int id) {
  std::lock_guard guard(running().mutex);
  running().ids.push_back(id);
}
void note_end(int id) {
  std::lock_guard guard(running().mutex);
  std::erase(running().ids, id);
}
bool is_background_thread(int id) {
  std::lock_guard guard(running().mutex);
  return std::find(running().ids.begin(), running().ids.end(), id) != running().ids.end();
}

}  // namespace

bool BackgroundThread::start(const char* name, void (*run)(void*), void* subject) {
  end_with_the_last_thread(is_background_thread);
  name_ = name;
  run_ = run;
  subject_ = subject;
  sigset_t all, before;  // inherited by the new thread: signals are for the program's threads
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  const int error = ::pthread_create(&thread_, nullptr, begin, this);
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  runs_ = error == 0;
  if (!runs_) errno = error;
  return runs_;
}

void set_cpus_of_background_threads(const std::vector<int>& cpus) {
  cpus_of_threads = {};
  for (const int cpu : cpus)
    if (cpu < atrium_most_cpus)
      cpus_of_threads.words[cpu / atrium_cpus_per_word] |= 1UL << (cpu % atrium_cpus_per_word);
}

void* BackgroundThread::begin(void* self) {
  auto* const thread = static_cast<BackgroundThread*>(self);
  ::syscall(SYS_sched_setaffinity, 0, sizeof cpus_of_threads,
            &cpus_of_threads);  // refused where there is none
  ::pthread_setname_np(::pthread_self(), thread->name_);
  thread->id_.store(this_thread(), std::memory_order_relaxed);
  note_begin(thread->id());
  thread->run_(thread->subject_);
  return nullptr;
}

bool BackgroundThread::is_me() const { return id() == this_thread(); }

void BackgroundThread::join() {
  if (is_me() || !runs_) return;
  ::pthread_join(thread_, nullptr);
  note_end(id_.exchange(0, std::memory_order_relaxed));
  runs_ = false;
}

}  // namespace atrium
