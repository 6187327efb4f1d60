// Random calls to the heap allocator, checked against a model that is a plain array of granules.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <random>
#include <vector>

#include "arena/heap_allocator.hpp"

namespace atrium {
namespace {

constexpr size_t granule = HeapAllocator::granule;

// Which block owns each granule; 0 is nobody.
class Model {
 public:
  explicit Model(size_t capacity) : owner_(capacity / granule, 0) {}

  bool is_free(size_t offset, size_t bytes) const {
    const size_t first = offset / granule, last = first + granules(bytes);
    return last <= owner_.size() &&
           std::all_of(owner_.begin() + first, owner_.begin() + last, [](int owner) { return owner == 0; });
  }
  // Does any place fit? The truth that "out of heap" is held against.
  bool fits(size_t bytes, size_t alignment) const {
    for (size_t offset = 0; offset < owner_.size() * granule; offset += std::max(alignment, granule))
      if (is_free(offset, bytes)) return true;
    return false;
  }
  void set(size_t offset, size_t bytes, int owner) {
    std::fill_n(owner_.begin() + offset / granule, granules(bytes), owner);
  }
  size_t used() const { return granule * (owner_.size() - std::count(owner_.begin(), owner_.end(), 0)); }
  size_t largest_free() const {
    size_t longest = 0, run = 0;
    for (int owner : owner_) longest = std::max(longest, run = owner == 0 ? run + 1 : 0);
    return longest * granule;
  }
  static size_t granules(size_t bytes) { return std::max<size_t>(1, (bytes + granule - 1) / granule); }

 private:
  std::vector<int> owner_;
};

class Walk {
 public:
  Walk(uint64_t seed, size_t capacity) : random_(seed), heap_(capacity), model_(capacity) {}

  void step() {
    const int choice = pick(0, 9);
    if (choice < 5) {
      allocate();
    } else if (!live_.empty()) {
      choice < 8 ? release() : resize();
    }
    ASSERT_TRUE(heap_.is_valid());
    ASSERT_EQ(heap_.used(), model_.used());
    ASSERT_EQ(heap_.largest_free(), model_.largest_free());
    ASSERT_EQ(heap_.blocks(), live_.size());
  }
  const std::vector<size_t>& history() const { return history_; }

 private:
  size_t pick(size_t low, size_t high) { return std::uniform_int_distribution<size_t>(low, high)(random_); }
  size_t pick_size() { return pick(0, size_t{1} << pick(0, 17)); }
  std::map<size_t, size_t>::iterator pick_block() {
    return std::next(live_.begin(), pick(0, live_.size() - 1));
  }

  void allocate() {
    const size_t bytes = pick_size(), alignment = pick(0, 3) ? granule : size_t{1} << pick(0, 16);
    const auto offset = heap_.allocate(bytes, alignment);
    history_.push_back(offset.value_or(SIZE_MAX));
    ASSERT_EQ(offset.has_value(), model_.fits(bytes, alignment))
        << bytes << " bytes aligned to " << alignment;
    if (!offset) return;
    ASSERT_EQ(*offset % alignment, 0u);
    ASSERT_TRUE(model_.is_free(*offset, bytes)) << "overlaps another block";
    model_.set(*offset, bytes, 1);
    live_[*offset] = bytes;
  }
  void release() {
    const auto block = pick_block();
    ASSERT_TRUE(heap_.release(block->first));
    ASSERT_FALSE(heap_.release(block->first));
    model_.set(block->first, block->second, 0);
    live_.erase(block);
  }
  void resize() {
    const auto block = pick_block();
    const size_t bytes = pick_size();
    model_.set(block->first, block->second, 0);
    const bool possible = model_.is_free(block->first, bytes);
    ASSERT_EQ(heap_.resize_in_place(block->first, bytes), possible);
    if (possible) block->second = bytes;
    model_.set(block->first, block->second, 1);
    ASSERT_EQ(heap_.block_at(block->first)->size(), granule * Model::granules(block->second));
  }

  std::mt19937_64 random_;
  HeapAllocator heap_;
  Model model_;
  std::map<size_t, size_t> live_;  // offset -> bytes asked for
  std::vector<size_t> history_;
};

uint64_t first_seed() {
  const char* text = std::getenv("TEST_SEED");
  return text ? std::strtoull(text, nullptr, 0) : std::random_device{}();
}

TEST(HeapAllocatorProperty, random_calls_agree_with_a_model) {
  const uint64_t seed = first_seed();
  for (uint64_t i = 0; i < 20; ++i) {
    SCOPED_TRACE(testing::Message() << "repeat with TEST_SEED=" << seed + i);
    Walk walk(seed + i, size_t{256} << 10);
    for (int n = 0; n < 1000 && !testing::Test::HasFatalFailure(); ++n) walk.step();
  }
}

TEST(HeapAllocatorProperty, two_pes_that_make_the_same_calls_get_the_same_offsets) {
  const uint64_t seed = first_seed();
  SCOPED_TRACE(testing::Message() << "repeat with TEST_SEED=" << seed);
  Walk here(seed, size_t{256} << 10), there(seed, size_t{256} << 10);
  for (int n = 0; n < 1000; ++n) {
    here.step();
    there.step();
  }
  EXPECT_EQ(here.history(), there.history());
}

// Ever-changing small sizes beside long-lived blocks: a heap that is one third full must still give a quarter
// in one piece.
TEST(HeapAllocatorProperty, a_long_life_of_mixed_sizes_does_not_crumble_the_heap) {
  const uint64_t seed = first_seed();
  SCOPED_TRACE(testing::Message() << "repeat with TEST_SEED=" << seed);
  std::mt19937_64 random(seed);
  constexpr size_t capacity = size_t{16} << 20;
  HeapAllocator heap(capacity);
  std::vector<size_t> live;
  for (int n = 0; n < 100000; ++n) {
    if (heap.used() < capacity / 3) {
      const auto block = heap.allocate(random() % (size_t{1} << (6 + random() % 10)));
      ASSERT_TRUE(block);
      live.push_back(*block);
    } else {
      std::swap(live[random() % live.size()], live.back());
      heap.release(live.back());
      live.pop_back();
    }
  }
  EXPECT_GE(heap.largest_free(), capacity / 4);
}

}  // namespace
}  // namespace atrium
