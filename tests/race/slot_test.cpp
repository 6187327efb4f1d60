// What a slot can tell: when, who, which bytes, where, and what conflicts with it.
// SPDX-License-Identifier: BSD-3-Clause
#include "race/shadow/slot.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace atrium::race {
namespace {

constexpr uint8_t atomic_write(TypeClass type, unsigned domain = 0) {
  return static_cast<uint8_t>(atomic_kind(type, domain) | is_write);
}

TEST(slot, an_epoch_tells_what_it_was_given) {
  const Epoch epoch(0xfedcba98, 16000, 0x3c, is_write);
  EXPECT_EQ(epoch.tick(), 0xfedcba98);
  EXPECT_EQ(epoch.lane(), 16000);
  EXPECT_EQ(epoch.mask(), 0x3c);
  EXPECT_EQ(epoch.kind(), is_write);
  EXPECT_TRUE(epoch.alike(Epoch(1, 16000, 0x3c, is_write)));
  EXPECT_FALSE(epoch.alike(Epoch(0xfedcba98, 16001, 0x3c, is_write)));
}

TEST(slot, an_origin_tells_sizes_exactly_or_a_little_less) {
  for (const size_t bytes :
       {0ul, 1ul, 8ul, 511ul, 512ul, 513ul, 1000ul, 1023ul, 4096ul, 8192ul, 1ul << 20, 3ul << 28})
    EXPECT_EQ(Origin(1, 2, 3, bytes).bytes(), bytes);
  for (size_t bytes = 1; bytes < size_t{1} << 36; bytes = bytes * 3 + 1) {
    const size_t reported = Origin(1, 2, 3, bytes).bytes();
    EXPECT_LE(reported, bytes);
    EXPECT_GE(reported + reported / 256 + 1, bytes);
  }
  const Origin origin(4000, 62, 0xffffffff, 77);
  EXPECT_EQ(origin.routine(), 4000u);
  EXPECT_EQ(origin.module(), 62u);
  EXPECT_EQ(origin.offset(), 0xffffffffu);
}

TEST(slot, reads_do_not_conflict_and_writes_do) {
  EXPECT_FALSE(conflict(Epoch(1, 1, 0xff, is_read), Epoch(1, 2, 0xff, is_read)));
  EXPECT_TRUE(conflict(Epoch(1, 1, 0xff, is_read), Epoch(1, 2, 0xff, is_write)));
  EXPECT_TRUE(conflict(Epoch(1, 1, 0xff, is_write), Epoch(1, 2, 0xff, is_write)));
  EXPECT_FALSE(conflict(Epoch(1, 1, 0x0f, is_write), Epoch(1, 2, 0xf0, is_write))) << "other bytes";
}

TEST(slot, atomics_of_one_type_and_domain_do_not_conflict) {
  const auto with = [](uint8_t a, uint8_t b) { return conflict(Epoch(1, 1, 0xff, a), Epoch(1, 2, 0xff, b)); };
  EXPECT_FALSE(with(atomic_write(TypeClass::int64), atomic_write(TypeClass::int64)));
  EXPECT_FALSE(with(atomic_write(TypeClass::int64), atomic_kind(TypeClass::int64, 0)));
  EXPECT_TRUE(with(atomic_write(TypeClass::int64), atomic_write(TypeClass::int32)));
  EXPECT_TRUE(with(atomic_write(TypeClass::int64), atomic_write(TypeClass::float64)));
  EXPECT_TRUE(with(atomic_write(TypeClass::int64, 0), atomic_write(TypeClass::int64, 1)));
  EXPECT_FALSE(with(atomic_write(TypeClass::float64, 1), is_read | is_atomic | is_flaglike)) << "a wait";
  EXPECT_TRUE(with(atomic_write(TypeClass::int64), is_read)) << "a plain read beside an atomic";
}

TEST(slot, time_and_place_change_together) {
  Slot slot{};
  std::atomic<bool> stop{false};
  std::thread writer([&] {
    for (uint32_t i = 1; !stop; ++i) slot.replace(slot.when(), slot.where(), Epoch(i, 1, 1, 0), Origin(i));
  });
  for (int i = 0; i < 100000; ++i) {
    const Epoch before = slot.when();
    const Origin place = slot.where();
    if (slot.when().word() == before.word()) {
      ASSERT_EQ(place.word(), before.tick());
    }
  }
  stop = true;
  writer.join();
}

}  // namespace
}  // namespace atrium::race
