// Symmetric memory: lines of eight bytes, and sectors of pages for what is transferred in bulk.
// SPDX-License-Identifier: BSD-3-Clause
//
// A sector that is accessed as a whole takes a part of one slot of its page instead of 64 lines. An access to a part of it
// sets has_lines before it publishes itself in a line, and reads the page's slots afterwards. An access to the whole sets
// has_slots before it publishes itself in the page, and reads the lines afterwards. Between the two steps stands the
// exchange that publishes, a full barrier: of two such accesses at least one sees the other.
#include <algorithm>
#include <bit>

#include "race/model/blocks.hpp"
#include "race/model/publish.hpp"

namespace atrium::race {
namespace {

// Relaxed where it is set already: it was set by a sequentially consistent operation before.
void mark(uint32_t& sectors, uint32_t which) {
  if ((__atomic_load_n(&sectors, __ATOMIC_RELAXED) & which) != which)
    __atomic_fetch_or(&sectors, which, __ATOMIC_SEQ_CST);
}

// What moves from one slot of a page to another may be missed by a thread that reads the slots one after the other. Moves are
// counted between the two slots' writes, above the bits of has_slots, and a reader starts again when the number has changed.
constexpr unsigned moves_shift = 8;

void count_move(ShadowPage& page) {
  __atomic_fetch_add(&page.has_slots, 1u << moves_shift, __ATOMIC_SEQ_CST);  // SYNC race-moves
}

void compare_with_page(const ShadowPage& page, int mine, Epoch epoch, const Access& access,
                       const AccessTarget& target) {
  const auto moves = [&] {
    return __atomic_load_n(&page.has_slots, __ATOMIC_ACQUIRE) >> moves_shift;  // SYNC race-moves
  };
  uint32_t before, now = moves();
  do {
    before = now;
    compare<ShadowPage::slots>(page.slot, mine, epoch, access, target);
    now = moves();
  } while (now != before);
}

ShadowPage& page_of(const ShadowAddress& shadow) { return shadow.region->pages[shadow.offset / page_bytes]; }

[[gnu::always_inline]] inline void touch_line(const ShadowAddress& shadow, uint8_t mask,
                                              const Access& access) {
  const Epoch epoch = epoch_of(access, mask);
  ShadowLine& line = shadow.region->lines[shadow.offset / 8];
  const bool is_new = !is_there<4>(line.slot, epoch, access);
  if (!is_new && !access.strand->has_issued) return;
  ShadowPage& page = page_of(shadow);
  const auto sector = static_cast<uint8_t>(1u << (shadow.offset % page_bytes / sector_bytes));
  if (is_new) {
    mark(page.has_lines, sector);
    publish_and_compare<4>(line.slot, epoch, access, {shadow, 0});
  } else {
    compare_only<4>(line.slot, epoch, access, {shadow, 0});
  }
  if ((__atomic_load_n(&page.has_slots, __ATOMIC_RELAXED) & sector) == 0) return;
  const ShadowAddress first_byte{shadow.region,
                                 shadow.offset + static_cast<unsigned>(std::countr_zero(mask))};
  compare_with_page(page, -1, epoch.of(sector), access, {first_byte, 0, 0});
}

void touch_lines(ShadowAddress shadow, uint64_t end, const Access& access) {
  while (shadow.offset < end) {
    const uint64_t next = std::min(end, (shadow.offset | 7) + 1);
    const ShadowAddress line{shadow.region, shadow.offset & ~uint64_t{7}};
    touch_line(line, mask_of(shadow.offset & 7, next - shadow.offset), access);
    shadow.offset = next;
  }
}

// Which slot of a page an access takes, what is there, and what it writes.
struct SlotChoice {
  Slot* slot = nullptr;  // none that could be spared
  Epoch old, now;
  // Another slot, which says nothing that `now` does not say, and what it held.
  Slot* spent = nullptr;
  Epoch spent_old{};
  bool needless = false;  // another slot says what is there as well
};

// The part of the same call or loop that is there already, to which this one is added.
SlotChoice joined_with(ShadowPage& page, const Epoch (&there)[ShadowPage::slots], Epoch epoch,
                       const Access& access) {
  for (int i = 0; i < ShadowPage::slots; ++i)
    if (there[i].of(0).word() == epoch.of(0).word() && page.slot[i].where().word() == access.origin.word())
      return {&page.slot[i], there[i], epoch.of(static_cast<uint8_t>(epoch.mask() | there[i].mask()))};
  return {nullptr, {}, epoch};
}

// Something else that is there says as much: the same lane, no earlier, of as many sectors.
bool is_needless(const Epoch (&there)[ShadowPage::slots], int which) {
  for (int i = 0; i < ShadowPage::slots; ++i)
    if (i != which && there[i].lane() == there[which].lane() && there[i].kind() == there[which].kind() &&
        there[i].tick() >= there[which].tick() && (there[which].mask() & ~there[i].mask()) == 0)
      return true;
  return false;
}

// A sector after the other is put by a loop: together they need one slot, and that of the round before where it was as much.
SlotChoice choose_among(ShadowPage& page, const Epoch (&there)[ShadowPage::slots], Epoch epoch,
                        const Access& access) {
  const SlotChoice joined = joined_with(page, there, epoch, access);
  SlotChoice empty{}, covered{}, spare{};
  for (int i = 0; i < ShadowPage::slots; ++i) {
    Slot* const slot = &page.slot[i];
    if (there[i].empty())
      empty = {slot, there[i], epoch};
    else if (slot != joined.slot && replaces(joined.now, there[i], access))
      covered = {slot, there[i], joined.now, joined.slot, joined.old};
    else if (is_needless(there, i))
      spare = {slot, there[i], epoch, nullptr, {}, true};
  }
  if (joined.slot) return covered.slot ? covered : joined;
  if (empty.slot) return empty;
  return covered.slot ? covered : spare;
}

// Whole pages have no other place to go: as in lines, something is forgotten. Sectors find one in their lines.
SlotChoice choose_slot_of_page(ShadowPage& page, Epoch epoch, const Access& access) {
  Epoch there[ShadowPage::slots];
  for (int i = 0; i < ShadowPage::slots; ++i) {
    there[i] = page.slot[i].when();
    if (there[i].alike(epoch)) return {&page.slot[i], there[i], epoch};
  }
  const SlotChoice choice = choose_among(page, there, epoch, access);
  if (choice.slot || epoch.mask() != 0xff) return choice;
  const unsigned any = (epoch.tick() + epoch.lane()) % ShadowPage::slots;
  return {&page.slot[any], there[any], epoch};
}

// False: no slot was free.
bool publish_in_page(ShadowPage& page, Epoch epoch, const Access& access, const AccessTarget& target) {
  while (true) {
    const SlotChoice choice = choose_slot_of_page(page, epoch, access);
    if (!choice.slot) return false;
    const Origin place = choice.slot->where();
    if (choice.needless) count_move(page);
    if (!choice.slot->replace(choice.old, place, choice.now, access.origin)) continue;
    if (choice.spent) {
      count_move(page);
      choice.spent->replace(choice.spent_old, choice.spent->where(), {}, {});
    }
    hold_against(choice.old, place, epoch, access, target);
    compare_with_page(page, static_cast<int>(choice.slot - page.slot), epoch, access, target);
    return true;
  }
}

bool all_ordered(const ShadowLine* lines, const Access& access) {
  for (size_t i = 0; i < lines_of_sector; ++i)
    for (const Slot& slot : lines[i].slot) {
      const Epoch there = slot.when();
      if (!there.empty() && !known_at_once(there, access)) return false;
    }
  return true;
}

// A write of a whole sector stands for all that was ordered before it, so that the lines need not be read again.
void compare_with_lines(ShadowPage& page, const ShadowAddress& sector, const Access& access) {
  const Epoch epoch = epoch_of(access, 0xff);
  ShadowLine* const lines = &sector.region->lines[sector.offset / 8];
  for (size_t i = 0; i < lines_of_sector; ++i)
    compare_only<4>(lines[i].slot, epoch, access, {{sector.region, sector.offset + 8 * i}, 0});
  if (!(access.kind & is_write) || (access.kind & is_atomic) || !all_ordered(lines, access)) return;
  __atomic_fetch_and(&page.has_lines, ~(1u << (sector.offset % page_bytes / sector_bytes)), __ATOMIC_SEQ_CST);
  std::fill_n(lines, lines_of_sector, ShadowLine{});
}

// Requires: first and end are bounds of sectors of one page. False: no slot was free.
bool touch_sectors(const ShadowAddress& first, uint64_t end, const Access& access) {
  const size_t number = first.offset % page_bytes / sector_bytes;
  const uint8_t sectors = mask_of(number, (end - first.offset) / sector_bytes);
  const ShadowAddress page_at{first.region, first.offset & ~uint64_t{page_bytes - 1}};
  const Epoch epoch = epoch_of(access, sectors);
  ShadowPage& page = page_of(first);
  const AccessTarget target{page_at, 0, sector_bytes};
  if (!is_there<ShadowPage::slots>(page.slot, epoch, access)) {
    mark(page.has_slots, sectors);
    if (!publish_in_page(page, epoch, access, target)) return false;
  } else {
    if (!access.strand->has_issued) return true;
    compare_with_page(page, -1, epoch, access, target);
  }
  const uint32_t in_lines = __atomic_load_n(&page.has_lines, __ATOMIC_RELAXED);
  for (uint64_t at = first.offset; (in_lines & sectors) != 0 && at < end; at += sector_bytes)
    if (in_lines >> (at % page_bytes / sector_bytes) & 1)
      compare_with_lines(page, {first.region, at}, access);
  return true;
}

// Requires: all of it is in one page.
void touch_in_page(const ShadowAddress& shadow, uint64_t end, const Access& access) {
  const ShadowAddress first{shadow.region, (shadow.offset + sector_bytes - 1) & ~uint64_t{sector_bytes - 1}};
  const uint64_t last = end & ~uint64_t{sector_bytes - 1};
  if (first.offset >= last || !touch_sectors(first, last, access)) return touch_lines(shadow, end, access);
  touch_lines(shadow, first.offset, access);
  touch_lines({shadow.region, last}, end, access);
}

// Apart from touch(), which stays short for what is accessed most: a word.
[[gnu::noinline]] void touch_range(ShadowAddress shadow, uint64_t end, const Access& access) {
  while (shadow.offset < end) {
    const uint64_t next = std::min(end, (shadow.offset | (page_bytes - 1)) + 1);
    touch_in_page(shadow, next, access);
    shadow.offset = next;
  }
}

}  // namespace

void touch(ShadowAddress shadow, size_t bytes, const Access& access) {
  if (shadow.offset + bytes > shadow.region->bytes) bytes = shadow.region->bytes - shadow.offset;
  if (shadow.region->states) check_states(shadow, bytes, access);
  const size_t first = shadow.offset & 7;
  if (first + bytes > 8) return touch_range(shadow, shadow.offset + bytes, access);
  touch_line({shadow.region, shadow.offset - first}, mask_of(first, bytes), access);
}

}  // namespace atrium::race
