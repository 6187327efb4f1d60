// Where this process sees its peers' memory, and what is mapped there.
// SPDX-License-Identifier: BSD-3-Clause
//
// There are two views, one of the peers' static data and one of their system areas and heaps. In each the peers follow in the
// order of places, beginning with the one behind this PE, `spacing` apart. Between what two of them can use lies a *hole*: reserved,
// and without access, so that an address that is not symmetric faults (check/stray_access.hpp). The *near* peers, which are
// the `near_peers` with the next places on both sides, are mapped at start; the *far* ones when they are first named
// (arena/far_peers.hpp), because starting all PEs of a node would take mappings with the square of their number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/result.hpp"
#include "segment/segment.hpp"

namespace atrium {

// How many peers are near: all on a node of up to 16 PEs, else few, because a start grows with each (docs/design/memory.md).
constexpr int near_peers(int places) { return places <= 16 ? places - 1 : 7; }

// The peers as this PE sees them: a peer's `distance` is 1 for the PE at the next place, and so on around.
struct PeerOrder {
  int my_place = 0;
  int places = 0;      // of this node, mine among them
  int near = 0;        // peers that are mapped at start: half of them behind my place, half in front of it
  size_t spacing = 0;  // bytes from one peer's part to the next one's

  size_t bytes() const { return static_cast<size_t>(places - 1) * spacing; }  // of a view
  size_t place_at(int distance) const { return static_cast<size_t>((my_place + distance) % places); }
  size_t offset_of(int distance) const { return static_cast<size_t>(distance - 1) * spacing; }
  int distance_to(int place) const { return (place - my_place + places) % places; }
  bool is_near(int distance) const { return distance <= (near + 1) / 2 || distance >= places - near / 2; }
};

// One of the two views. In the segment each PE's part lies `stride` behind the one before; of each `used` bytes can
// be used, and the first `head` of them hold something from the start.
struct ViewOf {
  uintptr_t begin;    // of the view
  size_t file_begin;  // in the segment: the part of the PE at place 0
  size_t stride, used, head;
};

// Adds what the near peers have in this view, whose addresses are reserved, to what is to be mapped.
void add_near_parts(std::vector<Segment::Part>& parts, const PeerOrder& order, const ViewOf& view);
// Requires: the near parts are mapped.
void finish_view(const PeerOrder& order, const ViewOf& view);
// All PEs' parts as they lie in the segment, holes included, wherever there is room: where place 0's begins.
Result<uintptr_t> map_together(Segment& segment, const PeerOrder& order, const ViewOf& view);
// Maps what a far peer has in both views.
Result<void> map_far(Segment& segment, const PeerOrder& order, const ViewOf& heaps, const ViewOf& globals,
                     int distance);

struct Views {
  uintptr_t heaps = 0, globals = 0;  // where the peers' parts begin; 0: there are none
  size_t bytes = 0;                  // of each
};

// For the arena, when it is built.
void note_views(const Views& views);

// Whether nothing but peers' memory and its holes can be at this address. For a signal handler, too.
bool is_in_views(uintptr_t address);

}  // namespace atrium
