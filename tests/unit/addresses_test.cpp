// Finding room for the arenas in address spaces of every shape (arena/addresses.hpp).
// SPDX-License-Identifier: BSD-3-Clause
#include "arena/addresses.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "os/page.hpp"

namespace atrium {
namespace {

constexpr uintptr_t mib = uintptr_t{1} << 20, gib = uintptr_t{1} << 30, tib = uintptr_t{1} << 40;

bool overlap(uintptr_t a, size_t a_size, uintptr_t b, size_t b_size) {
  return a < b + b_size && b < a + a_size;
}

// Everything a placement promises.
void expect_good(const std::vector<AddressRange>& free, const AddressNeeds& needs) {
  const auto place = find_addresses(free, needs);
  ASSERT_TRUE(place);
  const uintptr_t peers_heaps = place->heap + static_cast<uintptr_t>(place->skip);
  const uintptr_t peers_globals = needs.globals + static_cast<uintptr_t>(place->skip);
  EXPECT_EQ(place->heap % needs.alignment, 0u);
  EXPECT_EQ(static_cast<uintptr_t>(place->skip) % needs.alignment, 0u);
  EXPECT_TRUE(is_free(free, place->heap, needs.own));
  if (needs.peers == 0) return;
  EXPECT_TRUE(is_free(free, peers_heaps, needs.peers));
  EXPECT_FALSE(overlap(place->heap, needs.own, peers_heaps, needs.peers));
  if (!needs.globals) return;
  EXPECT_TRUE(is_free(free, peers_globals, needs.peers));
  EXPECT_FALSE(overlap(peers_globals, needs.peers, peers_heaps, needs.peers));
  EXPECT_FALSE(overlap(peers_globals, needs.peers, place->heap, needs.own));
}

AddressNeeds needs_of(uintptr_t globals, size_t stride, int npes) {
  return {globals, stride, static_cast<size_t>(npes - 1) * stride, huge_page_size, 0, huge_page_size};
}

TEST(Place, what_follows_my_static_data_ends_before_the_next_part_begins) {
  constexpr size_t brk_reaches = gib + 64 * mib;
  for (int places : {1, 2, 64, 256}) EXPECT_GT(generous_spacing(4 * mib, places), brk_reaches);
}

TEST(Place, parts_do_not_overlap_and_all_peers_fit) {
  for (int places : {1, 7, 64, 1000, 100000}) {
    for (size_t part : {4 * mib, 12 * gib, 100 * gib}) {
      const size_t spacing = generous_spacing(part, places);
      EXPECT_GE(spacing, part);
      EXPECT_EQ(spacing % huge_page_size, 0u);
      EXPECT_LE(spacing, std::max(part, 8 * tib / static_cast<size_t>(places)));
    }
  }
}

// No two of the PEs' parts are apart by a multiple of what an AMD's cache looks at.
TEST(Place, parts_are_apart_in_caches) {
  const AddressNeeds needs = needs_of(86 * tib + 0x5000, 12 * gib, 2);
  const auto place = find_addresses({{16 * mib, 85 * tib}, {86 * tib + gib, 127 * tib}}, needs);
  ASSERT_TRUE(place);
  for (int places : {2, 16, 64, 100}) {
    const size_t spacing = generous_spacing(4 * mib, places);
    size_t delta = static_cast<size_t>(place->skip);
    for (int peer = 1; peer < places; ++peer, delta += spacing)
      EXPECT_EQ(delta % cache_hash_period, static_cast<size_t>(peer) * huge_page_size % cache_hash_period);
  }
}

TEST(Place, position_independent_executables_find_room) {
  expect_good({{16 * mib, 85 * tib}, {86 * tib + gib, 127 * tib}}, needs_of(86 * tib + 0x5000, 12 * gib, 2));
}

TEST(Place, fixed_executables_at_the_bottom_find_room) {
  expect_good({{64 * mib, 127 * tib}}, needs_of(0x404000, 12 * gib, 2));
}

TEST(Place, static_executables_near_the_stack_find_room_below) {
  expect_good({{16 * mib, 127 * tib}, {127 * tib + 64 * mib, 127 * tib + 80 * mib}},
              needs_of(127 * tib + 0x3000, 6 * gib, 4));
}

TEST(Place, an_address_sanitizer_in_the_middle_leaves_room) {
  const uintptr_t shadow_begin = 0x7fff8000, shadow_end = 0x10007fff8000;
  expect_good(
      {{16 * mib, shadow_begin}, {shadow_end, 85 * tib}, {86 * tib, 96 * tib}, {100 * tib, 127 * tib}},
      needs_of(85 * tib + 4096, 6 * gib, 4));
}

TEST(Place, one_pe_needs_room_for_itself_only) {
  expect_good({{16 * mib, gib}}, needs_of(0x404000, 256 * mib, 1));
}

TEST(Place, a_program_without_static_data_finds_room) {
  expect_good({{16 * mib, 64 * gib}}, needs_of(0, gib, 8));
}

TEST(Place, a_thousand_heaps_find_room) {
  expect_good({{16 * mib, 85 * tib}, {86 * tib, 127 * tib}}, needs_of(85 * tib + 0x1000, 16 * gib, 1000));
}

TEST(Place, small_address_spaces_are_used_to_the_brim) {
  expect_good({{16 * mib, 200 * mib}, {300 * mib, 400 * mib}}, needs_of(0x404000, 16 * mib, 5));
}

TEST(Place, no_room_is_no_placement) {
  EXPECT_FALSE(find_addresses({{16 * mib, gib}}, needs_of(0x404000, gib, 2)));
  EXPECT_FALSE(find_addresses({}, needs_of(0x404000, gib, 1)));
}

}  // namespace
}  // namespace atrium
