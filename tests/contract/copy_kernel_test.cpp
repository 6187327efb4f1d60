// What every copy kernel must do, run on each that this processor has.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "../shared_parts.hpp"
#include "arch/processor.hpp"
#include "copy/copy.hpp"
#include "wait/wait.hpp"

namespace atrium {
namespace {

std::vector<const CopyKernel*> kernels_of_this_machine() {
  std::vector<const CopyKernel*> kernels;
  for (const CopyKernel& kernel : copy_kernels())
    if (kernel.runs_on(this_processor())) kernels.push_back(&kernel);
  return kernels;
}

class Kernel : public testing::TestWithParam<const CopyKernel*> {};

INSTANTIATE_TEST_SUITE_P(copy, Kernel, testing::ValuesIn(kernels_of_this_machine()),
                         [](const auto& info) { return std::string(info.param->name); });

// Bytes that differ from their neighbours and from those a page away.
std::vector<unsigned char> pattern(size_t size) {
  std::vector<unsigned char> bytes(size);
  for (size_t i = 0; i < size; ++i) bytes[i] = static_cast<unsigned char>(i * 131 + (i >> 8) * 7 + 1);
  return bytes;
}

constexpr size_t guard = 128;
constexpr unsigned char untouched = 0xA5;

// Copies `bytes` between buffers that are off a cache line by the given amounts, and looks at the guards on
// both sides.
testing::AssertionResult copies(const CopyKernel& kernel, size_t bytes, size_t dest_offset,
                                size_t source_offset) {
  static const std::vector<unsigned char> source = pattern((1 << 20) + 256);
  static std::vector<unsigned char> memory((1 << 20) + 4 * guard + 256);
  const auto base = reinterpret_cast<uintptr_t>(memory.data());
  unsigned char* dest = memory.data() + (64 - base % 64) + guard + dest_offset;
  std::fill(dest - guard, dest + bytes + guard, untouched);
  kernel.copy(dest, source.data() + source_offset, bytes);
  const auto is_untouched = [](unsigned char c) { return c == untouched; };
  if (!std::equal(dest, dest + bytes, source.data() + source_offset))
    return testing::AssertionFailure() << "wrong bytes";
  if (!std::all_of(dest - guard, dest, is_untouched)) return testing::AssertionFailure() << "wrote in front";
  if (!std::all_of(dest + bytes, dest + bytes + guard, is_untouched))
    return testing::AssertionFailure() << "wrote behind";
  return testing::AssertionSuccess();
}

TEST_P(Kernel, copies_every_small_size_at_every_alignment) {
  for (size_t dest_offset = 0; dest_offset < 64; ++dest_offset)
    for (size_t source_offset : {0, 1, 3, 8, 17, 32, 63})
      for (size_t bytes = 0; bytes <= 300; ++bytes)
        ASSERT_TRUE(copies(*GetParam(), bytes, dest_offset, source_offset))
            << bytes << " bytes, dest + " << dest_offset << ", source + " << source_offset;
}

TEST_P(Kernel, copies_sizes_around_powers_of_two) {
  for (size_t power = 512; power < (1 << 20); power *= 2)
    for (size_t bytes : {power - 65, power - 64, power - 1, power, power + 1, power + 63})
      for (size_t offset : {0, 1, 63})
        ASSERT_TRUE(copies(*GetParam(), bytes, offset, 63 - offset)) << bytes << " bytes";
}

TEST_P(Kernel, a_release_store_behind_the_copy_publishes_all_of_it) {
  constexpr size_t words = 64 << 10 >> 3;
  SharedParts parts(2);
  parts.run([&](int me, const ptrdiff_t* delta) {
    using Flag = std::atomic<uint64_t>;
    auto* data = &parts.at<uint64_t>(1, 4096 + 8);
    Flag& mine = parts.at<Flag>(me, 0);
    Flag& theirs = parts.at<Flag>(1 - me, 0);
    std::vector<uint64_t> source(words);
    bool good = true;
    for (uint64_t round = 1; round <= 300 && good; ++round) {
      if (me == 0) {
        std::fill(source.begin(), source.end(), round);
        GetParam()->copy(data, source.data(), words * sizeof(uint64_t));
        theirs.store(round, std::memory_order_release);
        notify(delta[1 - me]);
      }
      wait_for([&] { return mine.load(std::memory_order_acquire) >= round; });
      if (me == 1) {
        good = std::all_of(data, data + words, [&](uint64_t word) { return word == round; });
        theirs.store(round, std::memory_order_release);
        notify(delta[1 - me]);
      }
    }
    return good;
  });
}

TEST(Copy, every_size_up_to_a_line_is_copied_and_nothing_else) {
  const std::vector<unsigned char> source = pattern(64);
  for (size_t bytes = 0; bytes <= 64; ++bytes) {
    std::vector<unsigned char> dest(192, untouched);
    copy(dest.data() + 64, source.data(), bytes);
    EXPECT_TRUE(std::equal(source.begin(), source.begin() + bytes, dest.begin() + 64)) << bytes;
    EXPECT_EQ(std::count(dest.begin(), dest.begin() + 64, untouched), 64);
    EXPECT_TRUE(std::all_of(dest.begin() + 64 + bytes, dest.end(), [](auto c) { return c == untouched; }))
        << bytes;
  }
}

TEST(Copy, nothing_is_copied_from_null_to_null) { copy(nullptr, nullptr, 0); }

TEST(Copy, sizes_on_both_sides_of_every_threshold_are_copied) {
  ASSERT_TRUE(select_copy());
  const CopyPlan& plan = chosen_copy_plan();
  for (const CopyBands* bands : {&plan.put, &plan.get})
    for (int i = 0; i < bands->count; ++i) {
      const size_t from = bands->bands[i].from;
      const std::vector<unsigned char> source = pattern(from + 8);
      for (size_t bytes : {size_t{65}, from - 1, from, from + 1}) {
        std::vector<unsigned char> dest(from + 8, untouched);
        detail::copy_by(*bands, dest.data(), source.data(), bytes);
        EXPECT_TRUE(std::equal(source.begin(), source.begin() + bytes, dest.begin()));
        EXPECT_EQ(dest[bytes], untouched);
      }
    }
}

}  // namespace
}  // namespace atrium
