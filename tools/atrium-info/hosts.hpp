// Whether a job over some hosts would run: by running small ones.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace atrium {

// The options for the launcher, as the user would give them.
struct HostsToTry {
  std::string hosts, agent, remote_oshrun;
};

// First each host alone, all at once; then one job over those that answered. Prints what each is or why it cannot be used, and the
// network between them. The exit status: 0 if a job over all of them runs, else 1.
int try_hosts(const HostsToTry& wanted);

// The jobs' programs. On one host: a line of what it is.
int be_on_host();
// On all of them, one PE each: whether every PE reaches every other, by which network, how far PE 0 is from the others.
int be_across_hosts(const std::string& hosts);

}  // namespace atrium
