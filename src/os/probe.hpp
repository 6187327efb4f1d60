// A question to the kernel of another host: is it there?
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace atrium {

// A question to another host, beside all that is under way with it. Its kernel answers: a process that is stopped or
// busy, and one that has ended, counts as reachable. Who has been answered and keeps the probe learns what becomes of the host.
class Probe {
 public:
  enum class Answer {
    none_yet,
    reachable,
    over,        // it was reachable, and this probe learns no more
    unreachable  // for now: a network that comes back is found by another probe
  };
  virtual ~Probe() = default;  // gives it up
  virtual Answer look() = 0;
};

}  // namespace atrium
