// Which messages the PEs send and receive, and in which order, in the language GOAL: LogGOPSim replays it.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "sim/clock.hpp"

namespace atrium::sim {

class Schedule {
 public:
  explicit Schedule(int pes) : steps_(static_cast<size_t>(pes)) {}

  // Returns the message's number, by which it is received.
  uint64_t send(int from, int to, size_t bytes);
  void receive(int to, int from, size_t bytes, uint64_t number);

  // Each PE does one thing after the other. The last line is a remark: how long all of it took here.
  Result<void> write_to(const std::string& path, Time took) const;

 private:
  struct Step {
    bool sends;
    int peer;
    size_t bytes;
    uint64_t number;
  };
  std::vector<std::vector<Step>> steps_;  // by PE
  std::vector<bool> is_received_;         // by number
  uint64_t messages_ = 0;
};

}  // namespace atrium::sim
