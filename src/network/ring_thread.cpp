// Runs the ring thread: it sleeps until the doorbell rings, executes the clients' commands, and sleeps again.
// SPDX-License-Identifier: BSD-3-Clause
#include "network/ring_thread.hpp"

namespace atrium {
namespace {

constexpr int64_t nap_ns = 20'000;

}  // namespace

RingThread::RingThread(Endpoint& endpoint, Doorbell& bell) : endpoint_(endpoint), bell_(bell) {
  thread_.start(
      "atrium-ring", [](void* self) { static_cast<RingThread*>(self)->run(); }, this);
}

RingThread::~RingThread() {
  stop_ = true;
  bell_.ring_anyhow();
  thread_.join();
}

// Answers to what it sends wake the thread that sleeps in poll(). It never waits for the lock: the holder may be about to end the
// process, and then waits for this thread.
void RingThread::run() {
  uint32_t seen = bell_.rings();
  while (!stop_) {
    const std::optional<bool> has_more = endpoint_.serve_clients();
    if (!has_more) {
      bell_.sleep(bell_.rings(), nap_ns);
    } else if (!*has_more) {
      bell_.sleep(seen);
      seen = bell_.rings();
    }
  }
}

}  // namespace atrium
