// Maps a far peer when it is named, and writes its delta into the tables.
// SPDX-License-Identifier: BSD-3-Clause
#include "arena/far_peers.hpp"

#include <mutex>
#include <string>

#include "arch/fence.hpp"
#include "core/log.hpp"
#include "shmem/types.h"
#include "topology/placement.hpp"

namespace atrium {

bool far_peers_exist = false;

namespace {

FarPeers far_peers;
ptrdiff_t* shown_too = nullptr;
std::mutex one_at_a_time;

// A thread that reads the delta may use it: the kernel's stores that make the mapping are seen by all before this one.
void write(const ptrdiff_t& entry, ptrdiff_t delta) {
  full_fence();
  __atomic_store_n(const_cast<ptrdiff_t*>(&entry), delta, __ATOMIC_RELAXED);
}

Result<ptrdiff_t> map_parts_of(int pe) {
  const auto& [segment, order, heaps, globals, skip, table] = far_peers;
  const int distance = order.distance_to(placement.place_of(pe));
  if (auto r = map_far(*segment, order, heaps, globals, distance); !r) return r.error();
  return skip + static_cast<ptrdiff_t>(order.offset_of(distance));
}

Result<ptrdiff_t> delta_of(int pe) {
  const std::lock_guard hold(one_at_a_time);
  ptrdiff_t& known = far_peers.table[pe];
  if (known != ATRIUM_AWAY) return known;
  auto delta = map_parts_of(pe);
  if (!delta) return delta;
  write(known, *delta);
  if (shown_too) write(shown_too[pe], *delta);
  return delta;
}

}  // namespace

void note_far_peers(const FarPeers& peers) {
  far_peers = peers;
  far_peers_exist = true;
}

void show_far_peers_in(ptrdiff_t* table) { shown_too = table; }

ptrdiff_t name_peer(int pe, const ptrdiff_t& entry) {
  if (!placement.is_here(pe)) return ATRIUM_AWAY;
  auto delta = delta_of(pe);
  if (!delta)
    fatal(delta.error()
              .while_doing("reaching PE " + std::to_string(pe) + " for the first time")
              .try_this("a larger /proc/sys/vm/max_map_count: a PE that names n others takes 4 n mappings"));
  write(entry, *delta);
  return *delta;
}

}  // namespace atrium
