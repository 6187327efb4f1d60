// Processes that the PEs started and left behind. They have become children of oshrun (it is their
// subreaper).
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/types.h>

#include <string>

#include "launch/process/pes.hpp"

namespace atrium {

// Collects ended children. False once this process has no child but `helper`, commands of its own and those it had at its start; where
// /proc is not to be had, once the process groups of the PEs are empty. All PEs have ended.
bool has_leftovers(pid_t helper, Pes& pes);

// Whether a process lives that a PE has started and left behind. `mark`: what stands in its environment.
bool has_orphans(const Pes& pes, const std::string& mark);

// Sends `signal` to every such child. Their own children become direct ones when they end: call again.
void signal_leftovers(int signal, pid_t helper, Pes& pes);

}  // namespace atrium
