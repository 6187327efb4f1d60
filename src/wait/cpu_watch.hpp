// Finds out whether another process wants the CPU on which a thread waits.
// SPDX-License-Identifier: BSD-3-Clause
//
// The kernel does not say so, but a thread that yields can learn it: the kernel counts each time that another thread got the
// CPU (a *hand-over*).
//
//             yields hand the CPU over, one in eight or more
//     mine  ----------------------------------------------->  shared
//           <-----------------------------------------------
//             64 yields hand nothing over; twice as many each time that this was taken back at once
//
//     the group's quota keeps its PEs from running an eighth of the time: *rationed*, until it has not for a second; twice as
//     long each time that it comes back
//
// A neighbour that computes gives the CPU back after a whole slice: to yield to it ends no wait, and takes milliseconds. So only
// hand-overs that are short count as above: they lead to threads that wait as well, or for this one. Two that took a slice
// make the CPU *crowded*, beside what it is otherwise: for 50 ms, twice as long each time that the neighbour is still there.
//
// A pure state machine: callers pass the time and the counters. One for each thread, which alone calls it.
#pragma once

#include <cstdint>

namespace atrium {

class CpuWatch {
 public:
  enum class Cpu { mine, shared, rationed };
  struct Counters {
    uint64_t now_ns;
    uint64_t switches;  // hand-overs ever, of the thread
  };

  Cpu cpu() const { return is_rationed_ ? Cpu::rationed : is_shared_ ? Cpu::shared : Cpu::mine; }

  // A wait begins to yield. Whether its counters are wanted: of a CPU that is shared only now and then, since it is known.
  bool wants_wait();
  // No thread that waits keeps a CPU as long as this, and a thread that computes keeps it longer (3 ms and more).
  static constexpr uint64_t slice_ns = 1'000'000;
  void begin(const Counters& counters) { before_ = counters; }
  // Whether it is time to look at them again, so many yields after the last time.
  bool wants_look(uint32_t yields) const { return yields >= next_look_; }
  // `slices` of the yields took as long as a slice.
  void look(uint32_t yields, uint32_t slices, const Counters& counters);
  // Until when yields would be given to a neighbour that computes.
  uint64_t crowded_until_ns() const { return crowded_until_ns_; }
  // For how long the quota has stopped `pes` PEs so far, all of them together.
  bool wants_quota(uint64_t now_ns) const { return now_ns - quota_seen_ns_ >= quota_interval_ns; }
  void see_quota(uint64_t throttled_ns, uint32_t pes, uint64_t now_ns);

 private:
  void look_for_neighbours(int64_t yields, int64_t handed_over, uint64_t now_ns);
  void look_for_peace(int64_t yields, int64_t handed_over, uint64_t now_ns);
  void look_for_computations(int64_t slices, uint64_t now_ns);

  static constexpr uint64_t quota_interval_ns = 100'000'000;  // the default period of quotas

  Counters before_{};
  uint32_t next_look_ = 1;
  uint32_t waits_ = 0;
  bool is_shared_ = false;
  int64_t evidence_ = 0;  // for a change: hand-overs while it is mine, yields without one while it is shared
  int64_t needed_ = 0;    // of those yields
  uint64_t mine_since_ns_ = 0;

  uint64_t slice_seen_ns_ = 0, crowded_until_ns_ = 0, crowd_ns_ = 0;  // the last is how long it counts

  bool is_rationed_ = false;
  uint64_t throttled_ns_ = 0, quota_seen_ns_ = 0;
  uint64_t rationed_at_ns_ = 0, ration_ns_ = 0;  // when it last was, and for how long that counts
};

}  // namespace atrium
