// The progress thread: drives an endpoint while its PE computes or sleeps.
// SPDX-License-Identifier: BSD-3-Clause
//
// While the PE drives, the thread naps, from 50 us up to 1 ms. When the PE has taken no turn for two naps, or announces
// that it goes to sleep, the thread takes over and sleeps on the engine's descriptor. It never spins.
#pragma once

#include <atomic>

#include "network/background_thread.hpp"
#include "network/endpoint.hpp"

namespace atrium {

class ProgressThread {
 public:
  explicit ProgressThread(Endpoint& endpoint);
  ~ProgressThread();
  ProgressThread(const ProgressThread&) = delete;
  ProgressThread& operator=(const ProgressThread&) = delete;
  // False, with errno, if no thread can be created.
  bool start();
  void take_over();
  bool is_me() const { return thread_.is_me(); }
  int id() const { return thread_.id(); }

 private:
  void run();
  void watch();
  void drive();
  bool pe_drives(uint64_t seen) const;
  void sleep_on_engine();

  Endpoint& endpoint_;
  std::atomic<bool> stop_{false};
  std::atomic<bool> napping_{false};
  std::atomic<uint32_t> call_{0};  // futex: the PE wants it to take over
  int wake_ = -1;                  // eventfd: asks it to end
  BackgroundThread thread_;
};

}  // namespace atrium
