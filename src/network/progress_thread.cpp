// The thread that drives an endpoint while its PE does not; it sleeps most of the time.
// SPDX-License-Identifier: BSD-3-Clause
#include "network/progress_thread.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

namespace atrium {
namespace {

// cxi documents a race between its descriptor and its queue, and other providers wake without cause: checks again after this.
constexpr int longest_sleep_ms = 20;

}  // namespace

ProgressThread::ProgressThread(Endpoint& endpoint) : endpoint_(endpoint) {
  wake_ = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
}

bool ProgressThread::start() {
  return thread_.start(
      "atrium-net", [](void* self) { static_cast<ProgressThread*>(self)->run(); }, this);
}

ProgressThread::~ProgressThread() {
  stop();
  ::close(wake_);
}

void ProgressThread::stop() {
  stop_ = true;
  watchdog_.call();
  const uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = ::write(wake_, &one, sizeof one);
  thread_.join();
}

bool ProgressThread::pe_drives(uint64_t seen) const {
  return endpoint_.pe_waits() || endpoint_.turns_by_pe() != seen;
}

void ProgressThread::run() {
  while (!stop_) {
    watch();
    if (!stop_) drive();
  }
}

// Returns when the PE has stopped driving.
void ProgressThread::watch() {
  watchdog_.begin();
  for (int idle_sleeps = 0; !stop_ && idle_sleeps < 2;) {
    const uint64_t seen = endpoint_.turns_by_pe();
    if (watchdog_.sleep() || endpoint_.has_commands()) return;
    idle_sleeps = pe_drives(seen) ? 0 : idle_sleeps + 1;
  }
}

// Returns when the PE drives again.
void ProgressThread::drive() {
  const uint64_t seen = endpoint_.turns_by_pe();
  while (!stop_ && !pe_drives(seen)) {
    bool may_sleep = false;
    if (endpoint_.serve(may_sleep) == 0 && may_sleep) sleep_on_engine();
  }
}

void ProgressThread::sleep_on_engine() {
  pollfd descriptors[2] = {{wake_, POLLIN, 0}, {endpoint_.wait_fd(), POLLIN, 0}};
  const bool has_descriptor = endpoint_.wait_fd() >= 0;
  ::poll(descriptors, has_descriptor ? 2 : 1, has_descriptor ? longest_sleep_ms : 1);
  endpoint_.has_slept();
}

}  // namespace atrium
