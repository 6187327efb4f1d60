// An owner's side of the command rings: its guests' commands become operations of its endpoint.
// SPDX-License-Identifier: BSD-3-Clause
//
// Commands of a guest are executed in the order in which it wrote them, by whoever drives the endpoint, under the
// progress lock. None of them waits: one that cannot be executed yet stays where it is, and stops its own ring alone.
#pragma once

#include <atomic>
#include <optional>
#include <vector>

#include "network/background_thread.hpp"
#include "network/endpoint.hpp"
#include "network/ring_block.hpp"

namespace atrium {

class Endpoint::Rings {
 public:
  Rings(Endpoint& endpoint, const std::vector<RingGuest>& guests, Doorbell& bell);
  ~Rings();
  Rings(const Rings&) = delete;
  Rings& operator=(const Rings&) = delete;

  // Requires of these: the progress lock is held.
  // Executes what can be executed, and wakes who waits for what is complete; `came`: the endpoint has heard something.
  // Returns how many commands it has executed.
  int serve(bool came);
  // Whether there is anything that serve() could do.
  bool has_work();

  Doorbell& bell() { return bell_; }
  // Not by its own thread; then it does nothing.
  void stop_thread();
  int thread() const { return thread_.id(); }

 private:
  struct Guest {
    int local;
    RingBlock* block;
    bool stands = false;                 // its next command cannot be executed yet
    std::optional<Newcomer> newcomer{};  // of that command
    uint32_t counting =
        0;               // a bit for each of its counters that has not been seen down since its last command
    uint32_t asked = 0;  // up to which its questions have been passed on
  };

  int execute_some(Guest& guest);
  bool execute_next(Guest& guest);
  void wake_if_complete(Guest& guest);
  void wake_if_room(Guest& guest, int executed);
  bool execute(Guest& guest, const Command& command);
  Request request_of(const Guest& guest, const Command& command) const;
  void run();

  Pending* counter(const Guest& guest, uint16_t number) const {
    return number < RingBlock::counters ? &guest.block->counter[number] : nullptr;
  }
  bool is_sound(const Guest& guest, const Command& command) const;

  Endpoint& endpoint_;
  Doorbell& bell_;
  std::vector<Guest> guests_;

  // The ring thread, which sleeps on the bell while the threads that have announced themselves there sleep in poll().
  std::atomic<bool> stop_{false};
  BackgroundThread thread_;
};

}  // namespace atrium
