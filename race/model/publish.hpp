// Publish, then compare: an access takes one of the slots that hold the last accesses, and is then compared with the others.
// SPDX-License-Identifier: BSD-3-Clause
//
// An access first publishes itself in the shadow, in one piece, and then reads the other slots. Of two that race at least one
// reads after both are there. Reading first would miss races between PEs that run in lock-step.
#pragma once

#include "race/model/access.hpp"
#include "race/model/finding.hpp"

namespace atrium::race {

inline Epoch epoch_of(const Access& access, uint8_t mask) {
  return {access.tick(), access.lane, mask, access.kind};
}

// Of a word of eight bytes: `bytes` from the `first` on.
inline uint8_t mask_of(size_t first, size_t bytes) {
  return static_cast<uint8_t>(((1u << bytes) - 1) << first);
}

// The quick answer to ordered_before().
inline bool known_at_once(Epoch there, const Access& access) {
  return there.tick() <= access.strand->clock->tick[there.lane()];
}

// May `now` stand for `then`, which is ordered before it? Whatever would race with `then` must race with `now`.
inline bool stands_for(Epoch now, Epoch then) {
  if ((then.mask() & ~now.mask()) != 0) return false;
  if ((then.kind() & is_write) && !(now.kind() & is_write)) return false;
  if (!(now.kind() & is_atomic)) return true;
  return ((now.kind() ^ then.kind()) & ~(is_write | is_flaglike)) == 0;
}

// What it replaces may still be under way: then it is held against that.
inline bool replaces(Epoch now, Epoch then, const Access& access) {
  return then.alike(now) || (known_at_once(then, access) && stands_for(now, then));
}

// The slot that an access takes: one of its kind, an empty one, one that it stands for, or any.
template <int count>
[[gnu::always_inline]] inline int choose_slot(const Slot* slots, Epoch epoch, const Access& access) {
  int empty = -1, covered = -1;
  for (int i = 0; i < count; ++i) {
    const Epoch there = slots[i].when();
    if (there.alike(epoch)) return i;
    if (there.empty()) {
      if (empty < 0) empty = i;
    } else if (covered < 0 && known_at_once(there, access) && stands_for(epoch, there)) {
      covered = i;
    }
  }
  if (empty >= 0) return empty;
  return covered >= 0 ? covered : static_cast<int>((epoch.tick() + epoch.lane()) % count);
}

// This access or one that says more is there already. It says nothing new unless the strand has issued operations since.
template <int count>
bool is_there(const Slot* slots, Epoch epoch, const Access& access) {
  for (int i = 0; i < count; ++i) {
    const Epoch there = slots[i].when();
    if (there.word() == epoch.word()) return !access.operation || (epoch.kind() & is_atomic);
    if (there.word() == (epoch.word() | is_write) && !access.operation) return true;
  }
  return false;
}

inline void hold_against(Epoch there, Origin where, Epoch epoch, const Access& access,
                         const AccessTarget& target) {
  if (there.empty() || !conflict(there, epoch) || ordered_before(there, access)) return;
  report_race(there, where, epoch, access, target);
}

// The place of an access is read again until it belongs to its time.
template <int count>
[[gnu::always_inline]] inline void compare(const Slot* slots, int mine, Epoch epoch, const Access& access,
                                           const AccessTarget& target) {
  for (int i = 0; i < count; ++i) {
    if (i == mine) continue;
    Epoch there = slots[i].when();
    if (there.empty() || !conflict(there, epoch) || known_at_once(there, access)) continue;
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
void publish_and_compare(Slot* slots, Epoch epoch, const Access& access, const AccessTarget& target) {
  while (true) {
    const int mine = choose_slot<count>(slots, epoch, access);
    const Epoch old = slots[mine].when();
    const Origin place = slots[mine].where();
    if (!slots[mine].replace(old, place, epoch, access.origin)) continue;
    hold_against(old, place, epoch, access, target);
    return compare<count>(slots, mine, epoch, access, target);
  }
}

template <int count>
void compare_only(const Slot* slots, Epoch epoch, const Access& access, const AccessTarget& target) {
  compare<count>(slots, -1, epoch, access, target);
}

}  // namespace atrium::race
