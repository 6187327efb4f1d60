// A thread of the library's own beside the program's: without signals, on whatever core of the node's PEs is free.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <pthread.h>

#include <atomic>
#include <vector>

namespace atrium {

// On which CPUs threads run that are started from now on: a PE may be bound to one, which is for its own threads. All of them
// were given to this job by its user or its launcher (taskset, numactl, a batch system without control groups). Until then a
// thread keeps to those of the thread that starts it. Not thread safe.
void set_cpus_of_background_threads(const std::vector<int>& cpus);

// Thread safety: one owner, who starts and joins it.
class BackgroundThread {
 public:
  // `name` is as the kernel shows it, 15 characters at most. False, with errno, if no thread can be created.
  bool start(const char* name, void (*run)(void* subject), void* subject);
  // Requires: run() returns soon. Nothing where it does not run, or if called by itself.
  void join();
  bool is_me() const;  // from its first step on, whether or not start() has returned
  int id() const {
    return id_.load(std::memory_order_relaxed);
  }  // as the kernel calls it; 0 while it does not run

 private:
  static void* begin(void* self);

  const char* name_ = "";
  void (*run_)(void*) = nullptr;
  void* subject_ = nullptr;
  pthread_t thread_{};
  std::atomic<int> id_{0};
  bool runs_ = false;
};

}  // namespace atrium
