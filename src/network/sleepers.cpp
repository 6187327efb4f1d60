// Threads that sleep until the network brings something, and the one that takes over when another leaves.
// SPDX-License-Identifier: BSD-3-Clause
#include "network/sleepers.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "os/futex.hpp"

namespace atrium {

Sleepers::~Sleepers() {
  if (bell_ >= 0) ::close(bell_);
}

void Sleepers::sleep(Sleeper& me, ProgressLock& lock, int descriptor, int longest_ms) {
  me.called.store(0, std::memory_order_relaxed);  // the lock orders
  asleep_.push_back(&me);
  const bool drives = !at_descriptor_;
  if (drives) at_descriptor_ = &me;
  // Without it a sleeper wakes up by its time limit.
  if (bell_ < 0) bell_ = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  lock.unlock();
  drives ? await_descriptor(descriptor, longest_ms)
         : futex_sleep(me.called, 0, longest_ms * int64_t{1'000'000});
  lock.lock();
  std::erase(asleep_, &me);
  if (!drives) return;
  at_descriptor_ = nullptr;
  uint64_t rings;
  [[maybe_unused]] const ssize_t taken = ::read(bell_, &rings, sizeof rings);
}

void Sleepers::await_descriptor(int descriptor, int longest_ms) {
  pollfd descriptors[2] = {{bell_, POLLIN, 0}, {descriptor, POLLIN, 0}};
  ::poll(descriptors, 2, longest_ms);
}

void Sleepers::call(Sleeper& sleeper) {
  if (sleeper.called.exchange(1, std::memory_order_relaxed) != 0) return;
  if (&sleeper != at_descriptor_) return futex_wake_all(sleeper.called);
  const uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = ::write(bell_, &one, sizeof one);
}

void Sleepers::call_ready() {
  for (Sleeper* sleeper : asleep_) {
    if (sleeper->is_ready(sleeper->subject)) call(*sleeper);
  }
}

void Sleepers::call_successor() {
  if (!at_descriptor_ && !asleep_.empty()) call(*asleep_.front());
}

}  // namespace atrium
