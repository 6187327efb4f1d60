// Private memory: buffers of operations, and the shadow of what threads share; which accesses are ordered.
// SPDX-License-Identifier: BSD-3-Clause
#include "race/model/access.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <vector>

#include "race/model/publish.hpp"
#include "race/model/word.hpp"
#include "race/shadow/private.hpp"

namespace atrium::race {
namespace {

// Buffers in private memory of operations that may still be under way.
struct Pending {
  uintptr_t begin, end;
  Epoch epoch;
  Origin origin;
};
SpinLock pending_lock;
std::vector<Pending>& pending = *new std::vector<Pending>;
// Whether there are any, which accesses ask without the lock. A thread that the program has ordered behind an operation sees the
// operation's entry; another one may miss it, as if it had been earlier.
std::atomic<bool> any_pending = false;

// Requires: the lock.
void note_pending() {
  any_pending.store(!pending.empty(), std::memory_order_relaxed);
  watch_private(working && (!pending.empty() || (threads_exist && job.instrumented)));
}

// Requires: the lock.
void compare_with_pending(uintptr_t begin, uintptr_t end, const Access& access) {
  const Epoch epoch = epoch_of(access, 0xff);
  for (const Pending& other : pending)
    if (begin < other.end && other.begin < end)
      hold_against(other.epoch, other.origin, epoch, access, {{}, std::max(begin, other.begin)});
}

void touch_private_lines(uintptr_t begin, uintptr_t end, const Access& access) {
  for (uintptr_t at = begin; at < end;) {
    const uintptr_t next = std::min(end, (at | 7) + 1);
    const Epoch epoch = epoch_of(access, mask_of(at & 7, next - at));
    if (ShadowLine* const line = private_line(at)) {
      if (!is_there<4>(line->slot, epoch, access))
        publish_and_compare<4>(line->slot, epoch, access, {{}, at});
      else if (access.strand->has_issued)
        compare_only<4>(line->slot, epoch, access, {{}, at});
    }
    at = next;
  }
}

bool on_own_stack(uintptr_t address, const Access& access) {
  const auto frame = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  return address < access.strand->stack_floor && address > frame - page_bytes;
}

}  // namespace

void update_watch() {
  std::lock_guard guard(pending_lock);
  note_pending();
}

bool ordered_before(Epoch there, const Access& access) {
  const VectorClock& clock = *access.strand->clock;
  if (clock.knows(there.lane(), there.tick())) return true;
  if (access.context && (access.kind & there.kind() & is_write)) {
    const LaneInfo& lane = board().lane[there.lane()];
    if (lane.pe == job.me && lane.target >= 0 && lane.context == number_of(*access.context) &&
        access.strand->fenced[there.lane()] >= there.tick())
      return true;
  }
  if (threads_unseen && board().lane[there.lane()].pe == job.me && board().lane[there.lane()].target < 0)
    return true;
  return acquire_polled(*access.strand) && clock.knows(there.lane(), there.tick());
}

void touch_private(uintptr_t address, size_t bytes, const Access& access) {
  const bool has_lines =
      threads_exist && job.instrumented && !on_own_stack(address, access) && !is_apart(address);
  const bool becomes_pending = access.operation && !has_lines;
  if (becomes_pending || any_pending.load(std::memory_order_relaxed)) {
    // Both under one lock: of two operations at the same time the later one sees the other.
    std::lock_guard guard(pending_lock);
    compare_with_pending(address, address + bytes, access);
    if (becomes_pending) {
      pending.push_back({address, address + bytes, epoch_of(access, 0xff), access.origin});
      note_pending();
    }
  }
  if (has_lines) touch_private_lines(address, address + bytes, access);
}

void touch_anywhere(const void* address, size_t bytes, const Access& access) {
  if (bytes == 0) return;
  const auto number = reinterpret_cast<uintptr_t>(address);
  if (const ShadowAddress shadow = shadow_of(number))
    touch(shadow, bytes, access);
  else if (watching_private() || access.operation)
    touch_private(number, bytes, access);
}

void forget_private(uintptr_t address, size_t bytes) {
  if (threads_exist && job.instrumented) clear_private(address, bytes);
}

void forget_completed(const Strand& strand) {
  if (!any_pending.load(std::memory_order_relaxed)) return;
  std::lock_guard guard(pending_lock);
  std::erase_if(pending,
                [&](const Pending& p) { return strand.clock->knows(p.epoch.lane(), p.epoch.tick()); });
  note_pending();
}

}  // namespace atrium::race
