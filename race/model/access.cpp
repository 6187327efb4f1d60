// Publish, then look.
// SPDX-License-Identifier: BSD-3-Clause
//
// An access first puts itself into the shadow, in one piece, and then looks at the others that are there. Of two that
// race at least one looks after both are there. Looking first would miss races between PEs that run in lock-step.
#include "race/model/access.hpp"

#include <algorithm>
#include <bit>
#include <mutex>
#include <vector>

#include "race/model/blocks.hpp"
#include "race/model/word.hpp"
#include "race/report/finding.hpp"
#include "race/shadow/private.hpp"

namespace atrium::race {
namespace {

// May `now` stand for `then`, which is ordered before it? Whatever would race with `then` must race with `now`.
bool stands_for(Epoch now, Epoch then) {
  if ((then.mask() & ~now.mask()) != 0) return false;
  if ((then.kind() & is_write) && !(now.kind() & is_write)) return false;
  if (!(now.kind() & is_atomic)) return true;
  return ((now.kind() ^ then.kind()) & ~(is_write | is_flaglike)) == 0;
}

// The slot that an access takes: one of its kind, an empty one, one that it stands for, or any.
template <int count>
int choose_slot(const Slot* slots, Epoch epoch, const Access& access) {
  int empty = -1, covered = -1;
  for (int i = 0; i < count; ++i) {
    const Epoch there = slots[i].when();
    if (there.alike(epoch)) return i;
    if (there.empty()) {
      if (empty < 0) empty = i;
    } else if (covered < 0 && there.tick() <= access.strand->clock->tick[there.lane()] &&
               stands_for(epoch, there)) {
      covered = i;
    }
  }
  if (empty >= 0) return empty;
  return covered >= 0 ? covered : static_cast<int>((epoch.tick() + epoch.lane()) % count);
}

// Nothing new: this access or one that says more is there already.
template <int count>
bool is_there(const Slot* slots, Epoch epoch, const Access& access) {
  for (int i = 0; i < count; ++i) {
    const Epoch there = slots[i].when();
    if (there.word() == epoch.word()) return !access.operation || (epoch.kind() & is_atomic);
    if (there.word() == (epoch.word() | is_write) && !access.operation) return true;
  }
  return false;
}

void hold_against(Epoch there, Origin where, Epoch epoch, const Access& access, const Target& target) {
  if (there.empty() || !conflict(there, epoch) || ordered_before(there, access)) return;
  report_race(there, where, epoch, access, target);
}

// The place of an access is read again until it belongs to its time.
template <int count>
void look(const Slot* slots, int mine, Epoch epoch, const Access& access, const Target& target) {
  for (int i = 0; i < count; ++i) {
    if (i == mine) continue;
    Epoch there = slots[i].when();
    if (there.empty() || !conflict(there, epoch)) continue;
    if (there.tick() <= access.strand->clock->tick[there.lane()]) continue;
    Origin where;
    for (Epoch again;; there = again) {
      where = slots[i].where();
      again = slots[i].when();
      if (again.word() == there.word()) break;
    }
    hold_against(there, where, epoch, access, target);
  }
}

template <int count>
void publish_and_look(Slot* slots, Epoch epoch, const Access& access, const Target& target) {
  while (true) {
    const int mine = choose_slot<count>(slots, epoch, access);
    const Epoch old = slots[mine].when();
    const Origin place = slots[mine].where();
    if (!slots[mine].replace(old, place, epoch, access.origin)) continue;
    hold_against(old, place, epoch, access, target);
    return look<count>(slots, mine, epoch, access, target);
  }
}

template <int count>
void look_only(const Slot* slots, Epoch epoch, const Access& access, const Target& target) {
  look<count>(slots, -1, epoch, access, target);
}

Epoch epoch_of(const Access& access, uint8_t mask) { return {access.tick(), access.lane, mask, access.kind}; }

uint8_t mask_of(size_t first, size_t bytes) { return static_cast<uint8_t>(((1u << bytes) - 1) << first); }

void touch_line(const Spot& spot, uint8_t mask, const Access& access) {
  const Epoch epoch = epoch_of(access, mask);
  Line& line = spot.region->lines[spot.offset / 8];
  if (is_there<4>(line.slot, epoch, access)) return;
  Page& page = spot.region->pages[spot.offset / page_bytes];
  if (__atomic_load_n(&page.has_lines, __ATOMIC_RELAXED) == 0)
    __atomic_store_n(&page.has_lines, 1, __ATOMIC_SEQ_CST);
  publish_and_look<4>(line.slot, epoch, access, {spot, 0});
  if (__atomic_load_n(&page.has_slots, __ATOMIC_RELAXED) != 0)
    look_only<3>(page.slot, epoch, access, {spot, 0});
}

bool all_ordered(const Line* lines, const Access& access) {
  for (size_t i = 0; i < lines_of_page; ++i)
    for (const Slot& slot : lines[i].slot) {
      const Epoch there = slot.when();
      if (!there.empty() && there.tick() > access.strand->clock->tick[there.lane()]) return false;
    }
  return true;
}

// A write of a whole page stands for all that was ordered before it, so that the lines need not be read again.
void forget_lines(Page& page, Line* lines, Epoch epoch, const Access& access) {
  if (!(epoch.kind() & is_write) || (epoch.kind() & is_atomic) || !all_ordered(lines, access)) return;
  __atomic_store_n(&page.has_lines, 0, __ATOMIC_SEQ_CST);
  std::fill_n(lines, lines_of_page, Line{});
}

void touch_page(const Spot& spot, const Access& access) {
  const Epoch epoch = epoch_of(access, 0xff);
  Page& page = spot.region->pages[spot.offset / page_bytes];
  if (is_there<3>(page.slot, epoch, access)) return;
  if (__atomic_load_n(&page.has_slots, __ATOMIC_RELAXED) == 0)
    __atomic_store_n(&page.has_slots, 1, __ATOMIC_SEQ_CST);
  publish_and_look<3>(page.slot, epoch, access, {spot, 0});
  if (__atomic_load_n(&page.has_lines, __ATOMIC_RELAXED) == 0) return;
  Line* const lines = &spot.region->lines[spot.offset / 8];
  for (size_t i = 0; i < lines_of_page; ++i)
    look_only<4>(lines[i].slot, epoch, access, {{spot.region, spot.offset + 8 * i}, 0});
  forget_lines(page, lines, epoch, access);
}

// Buffers in private memory of operations that may still be under way.
struct Pending {
  uintptr_t begin, end;
  Epoch epoch;
  Origin origin;
};
SpinLock pending_lock;
std::vector<Pending>& pending = *new std::vector<Pending>;

void update_watch() { watching_private = !pending.empty() || (threads_exist && job.instrumented); }

void look_at_pending(uintptr_t begin, uintptr_t end, const Access& access) {
  if (pending.empty()) return;
  const Epoch epoch = epoch_of(access, 0xff);
  std::lock_guard guard(pending_lock);
  for (const Pending& other : pending)
    if (begin < other.end && other.begin < end)
      hold_against(other.epoch, other.origin, epoch, access, {{}, std::max(begin, other.begin)});
}

void touch_private_lines(uintptr_t begin, uintptr_t end, const Access& access) {
  for (uintptr_t at = begin; at < end;) {
    const uintptr_t next = std::min(end, (at | 7) + 1);
    const Epoch epoch = epoch_of(access, mask_of(at & 7, next - at));
    Line* const line = private_line(at);
    if (line && !is_there<4>(line->slot, epoch, access))
      publish_and_look<4>(line->slot, epoch, access, {{}, at});
    at = next;
  }
}

bool on_own_stack(uintptr_t address, const Access& access) {
  const auto frame = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  return address < access.strand->stack_floor && address > frame - page_bytes;
}

}  // namespace

bool ordered_before(Epoch there, const Access& access) {
  const Clock& clock = *access.strand->clock;
  if (clock.knows(there.lane(), there.tick())) return true;
  if (access.context && (access.kind & there.kind() & is_write)) {
    const LaneInfo& lane = board().lane[there.lane()];
    if (lane.pe == job.me && lane.target >= 0 && lane.context == access.context->number &&
        access.strand->fenced[there.lane()] >= there.tick())
      return true;
  }
  if (threads_unseen && board().lane[there.lane()].pe == job.me && board().lane[there.lane()].target < 0)
    return true;
  return acquire_polled(*access.strand) && clock.knows(there.lane(), there.tick());
}

void touch(Spot spot, size_t bytes, const Access& access) {
  if (spot.offset + bytes > spot.region->bytes) bytes = spot.region->bytes - spot.offset;
  if (spot.region->states) check_states(spot, bytes, access);
  const uint64_t end = spot.offset + bytes;
  while (spot.offset < end) {
    if (spot.offset % page_bytes == 0 && end - spot.offset >= page_bytes) {
      touch_page(spot, access);
      spot.offset += page_bytes;
      continue;
    }
    const uint64_t next = std::min(end, (spot.offset | 7) + 1);
    const Spot line{spot.region, spot.offset & ~uint64_t{7}};
    touch_line(line, mask_of(spot.offset & 7, next - spot.offset), access);
    spot.offset = next;
  }
}

void touch_private(uintptr_t address, size_t bytes, const Access& access) {
  look_at_pending(address, address + bytes, access);
  if (threads_exist && job.instrumented) {
    if (!on_own_stack(address, access)) touch_private_lines(address, address + bytes, access);
  } else if (access.operation) {
    std::lock_guard guard(pending_lock);
    pending.push_back({address, address + bytes, epoch_of(access, 0xff), access.origin});
    update_watch();
  }
}

void touch_anywhere(const void* address, size_t bytes, const Access& access) {
  if (bytes == 0) return;
  const auto number = reinterpret_cast<uintptr_t>(address);
  if (const Spot spot = spot_of(number))
    touch(spot, bytes, access);
  else if (watching_private || access.operation)
    touch_private(number, bytes, access);
}

void forget_private(uintptr_t address, size_t bytes) {
  if (threads_exist && job.instrumented) clear_private(address, bytes);
}

void forget_completed(const Strand& strand) {
  if (pending.empty()) return;
  std::lock_guard guard(pending_lock);
  std::erase_if(pending,
                [&](const Pending& p) { return strand.clock->knows(p.epoch.lane(), p.epoch.tick()); });
  update_watch();
}

}  // namespace atrium::race
