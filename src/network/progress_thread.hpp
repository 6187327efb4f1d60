// The progress thread: drives an endpoint while its PE computes or sleeps.
// SPDX-License-Identifier: BSD-3-Clause
//
// While the PE drives, the thread sleeps. When the PE has taken no turn for two of the watchdog's sleeps, or announces that it goes to
// sleep, the thread takes over and sleeps on the engine's descriptor. It never spins.
#pragma once

#include <atomic>

#include "network/background_thread.hpp"
#include "network/endpoint.hpp"
#include "network/watchdog.hpp"

namespace atrium {

class ProgressThread {
 public:
  explicit ProgressThread(Endpoint& endpoint);
  ~ProgressThread();
  ProgressThread(const ProgressThread&) = delete;
  ProgressThread& operator=(const ProgressThread&) = delete;
  // False, with errno, if no thread can be created.
  bool start();
  void stop();
  // The PE goes to sleep.
  void take_over() { watchdog_.call(); }
  // The PE drives.
  void put_off(uint64_t now) { watchdog_.put_off(now); }
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
  Watchdog watchdog_;
  int wake_ = -1;  // eventfd: asks it to end
  BackgroundThread thread_;
};

}  // namespace atrium
