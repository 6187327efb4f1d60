// Decides which CPUs each PE of this host may use.
// SPDX-License-Identifier: BSD-3-Clause
//
// The default gives each PE an equal share of the cores, neighbours near each other. A share rather than one
// core, so that a PE with threads can use what is idle, and so that two small jobs at once do not land on the
// same core: both get wide, equal shares, and the kernel spreads the processes within them.
#pragma once

#include <vector>

#include "launch/cli/options.hpp"
#include "topology/cores.hpp"

namespace atrium {

using Cpus = std::vector<int>;

// One set per PE; an empty set leaves the PE unbound. `usable` is the number of CPUs after quotas.
std::vector<Cpus> place_pes(const Options& options, const std::vector<Core>& cores, int usable);

// Whether `busy` other processes leave some of so many PEs less of a CPU than others, where PEs are bound. Then the kernel
// spreads them better: all PEs wait for the one whose CPU is busy. Where three CPUs of four are busy anyway, PEs are nearly alike,
// and unbound ones would meet on a CPU while others run (docs/design/launcher.md has figures).
constexpr bool are_unevenly_busy(int busy, int pes, int cpus) {
  return busy + pes > cpus && busy * 4 < cpus * 3;
}

// Why `pes` PEs stay unbound although the user has asked for one of these each; empty: they do not.
std::string why_unbound(Binding binding, const std::vector<Core>& cores, size_t pes);

// "PE 3: CPUs 2,66 (package 0, NUMA node 1)"
std::string describe_place(int pe, const Cpus& cpus, const std::vector<Core>& cores);

}  // namespace atrium
