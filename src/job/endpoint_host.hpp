// What an endpoint needs of its surroundings, in a job: whom it wakes, and what becomes of the job when it fails.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "bootstrap/bootstrap.hpp"
#include "core/result.hpp"
#include "lobby/visit.hpp"
#include "network/endpoint.hpp"

namespace atrium {

// `memory` lives as long as the endpoint. An Error for a setting that makes no sense.
Result<EndpointHost> host_of_endpoint(const Bootstrap& bootstrap, LobbyVisit& lobby, NodeMemory& memory);

}  // namespace atrium
