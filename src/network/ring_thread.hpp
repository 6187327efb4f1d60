// The ring thread: drives an endpoint when clients have written commands while no thread of its process is awake to see them.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>

#include "network/background_thread.hpp"
#include "network/doorbell.hpp"
#include "network/endpoint.hpp"

namespace atrium {

// Sleeps on the bell while the threads that have announced themselves there sleep in poll().
class RingThread {
 public:
  // If no thread can be created, the progress thread checks the rings between its naps.
  RingThread(Endpoint& endpoint, Doorbell& bell);
  ~RingThread();
  RingThread(const RingThread&) = delete;
  RingThread& operator=(const RingThread&) = delete;
  bool is_me() const { return thread_.is_me(); }
  int id() const { return thread_.id(); }

 private:
  void run();

  Endpoint& endpoint_;
  Doorbell& bell_;
  std::atomic<bool> stop_{false};
  BackgroundThread thread_;
};

}  // namespace atrium
