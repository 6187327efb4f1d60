// Keeps the transport that leads to other nodes, if the job has several.
// SPDX-License-Identifier: BSD-3-Clause
#include "transport/away.hpp"

#include <string>

#include "check/caller.hpp"
#include "core/log.hpp"
#include "core/per_pe.hpp"

namespace atrium {

namespace detail {
ATRIUM_PER_PE AwayTransport* away_transport = nullptr;
}

ATRIUM_PER_PE atrium_context collective_context{nullptr, 0};

void set_away_transport(AwayTransport* transport) { detail::away_transport = transport; }

AwayTransport& away_to(int pe) {
  if (detail::away_transport) return *detail::away_transport;
  fatal(Error{"PE " + std::to_string(pe) + " cannot be reached",
              "it is on another node, and this job has no transport between nodes", describe_caller(),
              "a job whose PEs are on one node"});
}

}  // namespace atrium
