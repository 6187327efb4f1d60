// Whether the network between the nodes is cut, where no launcher of ours is connected to all hosts: PEs find it out themselves.
// SPDX-License-Identifier: BSD-3-Clause
//
// The first PE of a node has a NodeWatch (network/node_watch.hpp), and later another one. While a job starts, the watch uses a network
// that all hosts share, as the launcher does; from then on it uses the addresses of the endpoints.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bootstrap/bootstrap.hpp"
#include "core/result.hpp"
#include "lobby/visit.hpp"

namespace atrium {

// No launcher watches, and the user has not set how long to wait.
bool may_watch(const Bootstrap& bootstrap);

// The JoinNotice (bootstrap/bootstrap.hpp): where the first watch listens.
std::string introduce_watch();
// The first watch begins, and ends.
void watch_start(const Bootstrap& bootstrap, LobbyVisit& lobby);
void stop_watching_start();

// By the first PE of a node, for its second watch: the name by which watches of other nodes find it. Empty if it cannot listen.
std::string listen_for_nodes(const std::string& address);
// It begins. `names`: of all nodes' watches; `hosts`: as messages call the nodes.
void watch_nodes(uint64_t secret, const std::vector<std::string>& names,
                 const std::vector<std::string>& hosts);
// Between finalize and the next init.
void set_watch_paused(bool paused);
// As the kernel calls them.
std::vector<int> watch_threads();

// Ends the job (EndpointHost::cut_off): this PE cannot reach that node any more.
void end_cut_off(void*, uint32_t node, const Error& error);

}  // namespace atrium
