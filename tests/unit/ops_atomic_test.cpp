// Atomics between processes that hit the same word.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "../small_job.hpp"
#include "ops/atomic.hpp"
#include "ops/wait.hpp"

namespace atrium {
namespace {

constexpr int npes = 4;
constexpr int rounds = 2000;

// All PEs have come here this often; the counter is PE 0's.
void meet(const SmallJob& job, uint64_t times) {
  auto* counter = job.heap<uint64_t>(SmallJob::heap_bytes - 128);
  auto* released = counter + 1;
  if (atomic_fetch_inc(default_context, counter, 0) + 1 == times * static_cast<uint64_t>(job.npes()))
    for (int pe = 0; pe < job.npes(); ++pe) atomic_set(default_context, released, times, pe);
  wait_until(released, SHMEM_CMP_GE, times);
}

TEST(Atomic, every_fetch_inc_sees_another_value) {
  SmallJob job(npes);
  job.run([](const SmallJob& job) {
    auto* counter = job.heap<int>(0);
    auto* seen = job.heap<int>(4096);
    for (int i = 0; i < rounds; ++i) {
      const int value = atomic_fetch_inc(default_context, counter, 0);
      atomic_inc(default_context, seen + value, 0);
    }
    meet(job, 1);
    for (int i = 0; i < rounds * npes; ++i) EXPECT_EQ(atomic_fetch(default_context, seen + i, 0), 1) << i;
  });
}

TEST(Atomic, additions_of_all_pes_sum_up) {
  SmallJob job(npes);
  job.run([](const SmallJob& job) {
    auto* sum = job.globals<long>(0);
    auto* wrapped = job.globals<unsigned>(64);
    for (int i = 0; i < rounds; ++i) {
      atomic_add(default_context, sum, static_cast<long>(job.me() + 1), 1);
      atomic_fetch_add(default_context, wrapped, 0xC0000000u, 1);
    }
    meet(job, 1);
    EXPECT_EQ(atomic_fetch(default_context, sum, 1), rounds * (1 + 2 + 3 + 4));
    EXPECT_EQ(atomic_fetch(default_context, wrapped, 1), static_cast<unsigned>(rounds * npes) * 0xC0000000u);
  });
}

TEST(Atomic, compare_swap_lets_one_win) {
  SmallJob job(npes);
  job.run([](const SmallJob& job) {
    auto* word = job.heap<uint32_t>(0);
    uint32_t wins = 0;
    for (int i = 0; i < rounds; ++i) {
      const uint32_t old = atomic_fetch(default_context, word, 2);
      wins += atomic_compare_swap(default_context, word, old, old + 1, 2) == old;
    }
    atomic_add(default_context, job.heap<uint32_t>(64), wins, 2);
    meet(job, 1);
    EXPECT_EQ(atomic_fetch(default_context, word, 2),
              atomic_fetch(default_context, job.heap<uint32_t>(64), 2));
  });
}

TEST(Atomic, bits_are_changed_one_pe_at_a_time) {
  SmallJob job(npes);
  job.run([](const SmallJob& job) {
    auto* word = job.heap<uint64_t>(0);
    const uint64_t mine = uint64_t{1} << job.me();
    for (int i = 0; i < rounds; ++i) {
      EXPECT_EQ(atomic_fetch_or(default_context, word, mine, 0) & mine, 0u);
      EXPECT_EQ(atomic_fetch_and(default_context, word, ~mine, 0) & mine, mine);
      EXPECT_EQ(atomic_fetch_xor(default_context, word, mine, 0) & mine, 0u);
      atomic_and(default_context, word, ~mine, 0);
      atomic_or(default_context, word, mine, 0);
      atomic_xor(default_context, word, mine, 0);
    }
    meet(job, 1);
    EXPECT_EQ(atomic_fetch(default_context, word, 0), 0u);
  });
}

TEST(Atomic, floating_point_is_set_swapped_and_fetched) {
  SmallJob job(1);
  job.run([](const SmallJob& job) {
    auto* d = job.heap<double>(0);
    atomic_set(default_context, d, -1.5, 0);
    EXPECT_EQ(atomic_swap(default_context, d, 3.25, 0), -1.5);
    EXPECT_EQ(atomic_fetch(default_context, d, 0), 3.25);
    auto* f = job.heap<float>(64);
    float old = 0;
    atomic_set(default_context, f, 0.5f, 0);
    atomic_swap_nbi(default_context, &old, f, 2.0f, 0);
    EXPECT_EQ(old, 0.5f);
  });
}

TEST(Atomic, nonblocking_forms_bring_the_old_value) {
  SmallJob job(1);
  job.run([](const SmallJob& job) {
    auto* word = job.heap<uint64_t>(0);
    uint64_t old = 99;
    atomic_fetch_inc_nbi(default_context, &old, word, 0);
    EXPECT_EQ(old, 0u);
    atomic_fetch_add_nbi(default_context, &old, word, uint64_t{6}, 0);
    EXPECT_EQ(old, 1u);
    atomic_fetch_and_nbi(default_context, &old, word, uint64_t{5}, 0);
    EXPECT_EQ(old, 7u);
    atomic_fetch_or_nbi(default_context, &old, word, uint64_t{8}, 0);
    EXPECT_EQ(old, 5u);
    atomic_fetch_xor_nbi(default_context, &old, word, uint64_t{1}, 0);
    EXPECT_EQ(old, 13u);
    atomic_compare_swap_nbi(default_context, &old, word, uint64_t{12}, uint64_t{1}, 0);
    EXPECT_EQ(old, 12u);
    atomic_fetch_nbi(default_context, &old, word, 0);
    EXPECT_EQ(old, 1u);
  });
}

}  // namespace
}  // namespace atrium
