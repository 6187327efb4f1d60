// Standard input of this oshrun for PEs on other hosts, at the pace of the slowest.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "launch/hosts/input_branch.hpp"
#include "launch/io/standard_input.hpp"

namespace atrium {

class InputSender {
 public:
  // `readers`: hosts with PEs that read it.
  InputSender(Loop& loop, std::vector<RemoteHost*> readers);

  // Decides what to wait for next.
  void pump() { source_.pump(); }

 private:
  InputBranch branch_;
  StandardInput source_;
};

}  // namespace atrium
