// The way to other nodes, in jobs that span several: opened at init, there as long as the process.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "bootstrap/bootstrap.hpp"
#include "core/result.hpp"
#include "job/agreement.hpp"
#include "lobby/visit.hpp"
#include "segment/layout.hpp"
#include "segment/segment.hpp"

namespace atrium {

// In a job on one node these do nothing: no library is loaded, no thread made, no socket opened.

// Looks for a provider, so that the segment can be planned for it.
Result<void> find_network(const Bootstrap& bootstrap);
// Whether it makes all memory that it registers present, and keeps using these pages. Requires: this is the first PE of its
// node.
bool network_pins_memory();
// EngineTraits::costly_messages. Requires: it is open, which means that all nodes have the same provider.
bool network_has_costly_messages();
// What my node can do, if this is its first PE: no networks where the launcher or the user has chosen one.
NetworkOffer network_offer(const Bootstrap& bootstrap);
// Where the nodes' providers differ: my node looks on from the one that is chosen. An Error, which says how they differ, where that
// leaves none.
Result<void> pass_providers_over(const Bootstrap& bootstrap, const NetworkChoice& choice);
// Collective. Afterwards, and after a barrier, PEs of other nodes can be reached (transport/away.hpp). `choice`: what all
// have agreed on. Requires: the network has been found, and the arena is built.
Result<void> open_network(Bootstrap& bootstrap, LobbyVisit& lobby, Segment& segment, const Layout& layout,
                          const NetworkChoice& choice);
// Collective. What any context of my node has under way is complete. When all nodes have done so, and met, nobody needs
// anything that is still in a connection: processes may end.
void complete_network(LobbyVisit& lobby);
// Between finalize and the next init nothing is under way and nobody serves.
void pause_network();
void resume_network();
// From here on this PE answers whatever it does. Requires: all PEs of the node have come here since the last init.
Result<void> serve_network();
// What PE 0 uses: its provider, how many endpoints there are, and why. Empty on one node.
std::string describe_network();
// The threads of this process that drive it while its PEs do not, as the kernel calls them.
std::vector<int> network_threads();

}  // namespace atrium
