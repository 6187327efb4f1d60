// Seeing a signal means that the data is there.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "../small_job.hpp"
#include "arch/processor.hpp"
#include "copy/copy.hpp"
#include "ops/signal.hpp"
#include "wait/polling.hpp"

namespace atrium {
namespace {

// PE 0 sends blocks of `words`, PE 1 looks at each when its signal comes, and answers.
void exchange_blocks(const SmallJob& job, size_t words, uint64_t rounds, int operation) {
  auto* data = job.heap<uint64_t>(4096);
  auto* signal = job.globals<uint64_t>(0);
  std::vector<uint64_t> source(words);
  for (uint64_t round = 1; round <= rounds; ++round) {
    if (job.me() == 0) {
      std::fill(source.begin(), source.end(), round);
      const uint64_t operand = operation == SHMEM_SIGNAL_SET ? round : 1;
      put_signal(default_context, data, source.data(), words, signal, operand, operation, 1);
      signal_wait_until(signal, SHMEM_CMP_GE, round);
    } else {
      EXPECT_EQ(signal_wait_until(signal, SHMEM_CMP_GE, round), round);
      EXPECT_TRUE(std::all_of(data, data + words, [&](uint64_t word) { return word == round; })) << round;
      signal_add(default_context, signal, 1, 0);
    }
  }
}

TEST(Signal, seeing_it_means_that_the_data_is_there) {
  SmallJob job(2);
  job.run([](const SmallJob& job) { exchange_blocks(job, 50, 1000, SHMEM_SIGNAL_SET); });
}

TEST(Signal, the_same_with_every_copy_kernel_forced) {
  for (const CopyKernel& kernel : copy_kernels()) {
    if (!kernel.runs_on(this_processor())) continue;
    setenv("ATRIUM_COPY", kernel.name, 1);
    ASSERT_TRUE(select_copy());
    SmallJob job(2);
    job.run([](const SmallJob& job) { exchange_blocks(job, 8000, 100, SHMEM_SIGNAL_ADD); });
  }
  unsetenv("ATRIUM_COPY");
  ASSERT_TRUE(select_copy());
}

TEST(Signal, the_same_when_pes_share_a_cpu) {
  detail::chosen_policy = choose_wait_policy(WaitMode::automatic, 2, 1, false);
  SmallJob job(2);
  job.run([](const SmallJob& job) { exchange_blocks(job, 50, 1000, SHMEM_SIGNAL_ADD); });
  detail::chosen_policy = WaitPolicy{};
}

TEST(Signal, fetches_of_it_count_as_tests_when_pes_share_a_cpu) {
  const uint64_t signal = 0;
  const uint32_t before = detail::fruitless_tests;
  detail::chosen_policy = choose_wait_policy(WaitMode::automatic, 2, 1, false);
  for (int i = 0; i < 1000; ++i) signal_fetch(&signal);
  detail::chosen_policy = WaitPolicy{};
  EXPECT_GT(detail::fruitless_tests, before);
}

TEST(Signal, it_is_delivered_without_data) {
  SmallJob job(1);
  job.run([](const SmallJob& job) {
    auto* signal = job.heap<uint64_t>(0);
    put_signal<long>(default_context, nullptr, nullptr, 0, signal, 7, SHMEM_SIGNAL_SET, 0);
    EXPECT_EQ(signal_fetch(signal), 7u);
    put_signal_nbi<long>(default_context, nullptr, nullptr, 0, signal, 3, SHMEM_SIGNAL_ADD, 0);
    EXPECT_EQ(signal_fetch(signal), 10u);
    signal_set(default_context, signal, 1, 0);
    EXPECT_EQ(signal_wait_until(signal, SHMEM_CMP_NE, 0), 1u);
  });
}

}  // namespace
}  // namespace atrium
