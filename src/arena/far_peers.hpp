// Peers of my node that this process maps when it first names one of them.
// SPDX-License-Identifier: BSD-3-Clause
//
// On a node of many PEs few programs name every one to every other. So a *far* peer (arena/views.hpp) has its addresses from the
// start, but nothing is mapped there, and its deltas are ATRIUM_AWAY: the first access calls the library, which calls this.
// From then on it is a peer like any other. Atrium's own memory of all PEs is mapped from the start, at `arena.system_delta`.
// Threads.    Any number may name a peer at once. Inlined code may read a delta while it is written here: it finds AWAY and
//             comes here, too, or the delta, and then the mapping is there.
#pragma once

#include <cstddef>

#include "arena/views.hpp"
#include "core/result.hpp"
#include "topology/placement.hpp"

namespace atrium {

struct FarPeers {
  Segment* segment;  // everlasting
  PeerOrder order;
  ViewOf heaps, globals;  // globals.used == 0: there are none
  ptrdiff_t skip;         // the delta of the peer at distance 1
  ptrdiff_t* table;       // by PE of the job
};

// For the arena, when it is built. Requires: placement is the job's.
void note_far_peers(const FarPeers& peers);

// Whether some peer of mine is a far one, mapped or not.
extern bool far_peers_exist;

// Where a table says AWAY in the `entry` of that PE: its delta, which is in the entry from now on, and AWAY if it belongs to
// another node. Maps what is not mapped yet; what cannot be mapped ends the job. Requires: far_peers_exist.
ptrdiff_t name_peer(int pe, const ptrdiff_t& entry);

// The table that inlined code reads gets the deltas of far peers as well from now on; null: none does.
void show_far_peers_in(ptrdiff_t* table);

}  // namespace atrium
