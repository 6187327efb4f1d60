// Whether a host is there, asked of its kernel by a connection over TCP.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>

#include "os/probe.hpp"

struct sockaddr;

namespace atrium {

// Begins to connect to that port. The connection stays without a word as long as the probe does, and the two kernels ask each other
// on it (tcp_link.hpp). A refusal is an answer as well. If a process listens but does not accept now, the connection stays in its
// queue until he does. Null for other addresses than those of IPv4 and IPv6, and where this host cannot ask.
std::unique_ptr<Probe> begin_tcp_probe(const sockaddr& whom);
std::unique_ptr<Probe> begin_tcp_probe(const std::string& name);  // as connect_link() takes it

}  // namespace atrium
