// Notices the end of a program's thread by the destructor of a thread-specific value, which runs at pthread_exit but not at exit.
// SPDX-License-Identifier: BSD-3-Clause
#include "network/last_thread.hpp"

#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <optional>
#include <vector>

#include "network/background_thread.hpp"
#include "os/threads.hpp"

namespace atrium {
namespace {

constexpr useconds_t between_looks_us = 50'000;
constexpr int enough_looks = 2;  // threads that begin and end meanwhile may hide one from the first look

bool (*is_of_library)(int thread) = nullptr;
pid_t process = 0;  // a child of fork() has its parent's values, and none of the threads

bool only_ours_are_left() {
  const std::vector<pid_t> all = running_threads();
  return !all.empty() && std::all_of(all.begin(), all.end(), is_of_library);
}

void wait_for_the_last(void*) {
  for (int looks = 0; looks < enough_looks; looks = only_ours_are_left() ? looks + 1 : 0)
    ::usleep(between_looks_us);
  std::exit(0);  // as the C library has it
}

// Starting a thread sets the value again, and the C library comes back for it.
void on_leaving(void*) {
  static BackgroundThread looks;
  static std::atomic<bool> looked{false};
  if (::getpid() != process || looked.exchange(true)) return;
  looks.start("atrium-last", wait_for_the_last, nullptr);
}

// None where the program has taken all that there are. Another's value must not be overwritten.
std::optional<pthread_key_t> make_key() {
  pthread_key_t key;
  return ::pthread_key_create(&key, on_leaving) == 0 ? std::optional(key) : std::nullopt;
}

}  // namespace

void end_with_the_last_thread(bool (*is_ours)(int thread)) {
  static const std::optional<pthread_key_t> key = make_key();
  is_of_library = is_ours;
  process = ::getpid();
  if (key) ::pthread_setspecific(*key, &process);
}

}  // namespace atrium
