// All forms of wait and test: comparisons, exclusion, empty sets, fairness.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <thread>
#include <vector>

#include "../small_job.hpp"
#include "ops/atomic.hpp"
#include "ops/wait.hpp"

namespace atrium {
namespace {

constexpr size_t none = SIZE_MAX;

TEST(Test, every_comparison_is_signed_where_the_type_is) {
  int value = -1;
  EXPECT_TRUE(test(&value, SHMEM_CMP_LT, 0));
  EXPECT_TRUE(test(&value, SHMEM_CMP_LE, -1));
  EXPECT_TRUE(test(&value, SHMEM_CMP_EQ, -1));
  EXPECT_TRUE(test(&value, SHMEM_CMP_NE, 1));
  EXPECT_FALSE(test(&value, SHMEM_CMP_GT, 0));
  EXPECT_FALSE(test(&value, SHMEM_CMP_GE, 0));
  unsigned bits = 0xFFFFFFFFu;
  EXPECT_TRUE(test(&bits, SHMEM_CMP_GT, 0u));
  short small = -2;
  EXPECT_TRUE(test<short>(&small, SHMEM_CMP_LT, -1));
  size_t large = SIZE_MAX;
  EXPECT_TRUE(test(&large, SHMEM_CMP_GT, size_t{5}));
}

TEST(Test, a_set_without_elements_holds_for_all_and_for_no_any) {
  EXPECT_EQ(test_all<long>(nullptr, 0, nullptr, SHMEM_CMP_EQ, 0), 1);
  EXPECT_EQ(test_any<long>(nullptr, 0, nullptr, SHMEM_CMP_EQ, 0), none);
  EXPECT_EQ(test_some<long>(nullptr, 0, nullptr, nullptr, SHMEM_CMP_EQ, 0), 0u);
  wait_until_all<long>(nullptr, 0, nullptr, SHMEM_CMP_EQ, 0);
  EXPECT_EQ(wait_until_any<long>(nullptr, 0, nullptr, SHMEM_CMP_EQ, 0), none);
  EXPECT_EQ(wait_until_some<long>(nullptr, 0, nullptr, nullptr, SHMEM_CMP_EQ, 0), 0u);
}

TEST(Test, a_set_with_every_element_left_out_is_empty) {
  long values[3] = {};
  const int out[3] = {1, 1, 1};
  size_t indices[3];
  EXPECT_EQ(test_all(values, 3, out, SHMEM_CMP_EQ, 1L), 1);
  EXPECT_EQ(test_any(values, 3, out, SHMEM_CMP_EQ, 0L), none);
  EXPECT_EQ(wait_until_any(values, 3, out, SHMEM_CMP_EQ, 1L), none);
  EXPECT_EQ(wait_until_some(values, 3, indices, out, SHMEM_CMP_EQ, 1L), 0u);
  wait_until_all(values, 3, out, SHMEM_CMP_EQ, 1L);
}

TEST(Test, an_element_that_is_left_out_does_not_count) {
  long values[4] = {1, 0, 1, 0};
  const int status[4] = {0, 1, 0, 1};
  EXPECT_EQ(test_all(values, 4, status, SHMEM_CMP_EQ, 1L), 1);
  EXPECT_EQ(test_all(values, 4, nullptr, SHMEM_CMP_EQ, 1L), 0);
  for (int i = 0; i < 20; ++i) EXPECT_EQ(test_any(values, 4, status, SHMEM_CMP_EQ, 0L), none);
  size_t indices[4];
  EXPECT_EQ(test_some(values, 4, indices, status, SHMEM_CMP_EQ, 1L), 2u);
  EXPECT_EQ(std::set<size_t>(indices, indices + 2), (std::set<size_t>{0, 2}));
}

TEST(Test, vectors_compare_each_element_with_its_own_value) {
  int values[3] = {5, 6, 7};
  const int equal[3] = {5, 6, 7}, second[3] = {0, 6, 0};
  size_t indices[3];
  EXPECT_EQ(test_all_vector(values, 3, nullptr, SHMEM_CMP_EQ, equal), 1);
  EXPECT_EQ(test_any_vector(values, 3, nullptr, SHMEM_CMP_EQ, second), 1u);
  EXPECT_EQ(test_some_vector(values, 3, indices, nullptr, SHMEM_CMP_EQ, second), 1u);
  EXPECT_EQ(indices[0], 1u);
  wait_until_all_vector(values, 3, nullptr, SHMEM_CMP_EQ, equal);
  EXPECT_EQ(wait_until_any_vector(values, 3, nullptr, SHMEM_CMP_EQ, second), 1u);
  EXPECT_EQ(wait_until_some_vector(values, 3, indices, nullptr, SHMEM_CMP_NE, second), 2u);
}

TEST(Test, an_element_that_stays_true_hides_no_other) {
  long values[5] = {1, 1, 1, 1, 1};
  std::set<size_t> seen;
  for (int i = 0; i < 200; ++i) seen.insert(wait_until_any(values, 5, nullptr, SHMEM_CMP_EQ, 1L));
  EXPECT_EQ(seen.size(), 5u);
}

TEST(Test, alternating_between_two_arrays_starves_nobody) {
  long a[2] = {1, 1}, b[2] = {1, 1};
  std::set<size_t> seen_a, seen_b;
  for (int i = 0; i < 200; ++i) {
    seen_a.insert(test_any(a, 2, nullptr, SHMEM_CMP_EQ, 1L));
    seen_b.insert(test_any(b, 2, nullptr, SHMEM_CMP_EQ, 1L));
  }
  EXPECT_EQ(seen_a.size(), 2u);
  EXPECT_EQ(seen_b.size(), 2u);
}

// PE 0 sets the elements of PE 1 one by one, in an order of its own.
void set_one_by_one(const SmallJob& job, size_t count) {
  auto* values = job.heap<int64_t>(0);
  for (size_t i = 0; i < count; ++i) {
    usleep(500);
    atomic_set(default_context, values + (i * 7) % count, int64_t{1}, 1);
  }
}

TEST(Wait, some_returns_each_element_once_when_the_done_ones_are_left_out) {
  static constexpr size_t count = 20;
  SmallJob job(2);
  job.run([](const SmallJob& job) {
    if (job.me() == 0) return set_one_by_one(job, count);
    std::vector<int> status(count);
    std::vector<size_t> indices(count);
    for (size_t done = 0; done < count;) {
      const size_t found = wait_until_some(job.heap<int64_t>(0), count, indices.data(), status.data(),
                                           SHMEM_CMP_EQ, int64_t{1});
      EXPECT_GT(found, 0u);
      for (size_t i = 0; i < found; ++i) EXPECT_EQ(status[indices[i]]++, 0);
      done += found;
    }
  });
}

TEST(Wait, any_and_all_end_when_a_peer_has_set_the_elements) {
  static constexpr size_t count = 10;
  for (int cpus : {2, 1}) {
    detail::chosen_policy = choose_wait_policy(WaitMode::automatic, 2, cpus, false);
    SmallJob job(2);
    job.run([](const SmallJob& job) {
      if (job.me() == 0) return set_one_by_one(job, count);
      auto* values = job.heap<int64_t>(0);
      const size_t first = wait_until_any(values, count, nullptr, SHMEM_CMP_EQ, int64_t{1});
      EXPECT_LT(first, count);
      wait_until_all(values, count, nullptr, SHMEM_CMP_EQ, int64_t{1});
      EXPECT_EQ(test_all(values, count, nullptr, SHMEM_CMP_EQ, int64_t{1}), 1);
    });
  }
  detail::chosen_policy = WaitPolicy{};
}

TEST(Wait, a_word_in_static_data_is_waited_for_as_well) {
  detail::chosen_policy = choose_wait_policy(WaitMode::block, 2, 1, false);
  SmallJob job(2);
  job.run([](const SmallJob& job) {
    auto* word = job.globals<int>(0);
    if (job.me() == 1) return wait_until(word, SHMEM_CMP_EQ, 5);
    usleep(3000);
    atomic_set(default_context, word, 5, 1);
  });
  detail::chosen_policy = WaitPolicy{};
}

TEST(Wait, a_thread_of_the_same_pe_ends_it) {
  SmallJob job(1);
  job.run([](const SmallJob& job) {
    auto* word = job.heap<unsigned long>(0);
    std::thread writer([&] {
      usleep(3000);
      atomic_inc(default_context, word, 0);
    });
    wait_until(word, SHMEM_CMP_NE, 0ul);
    writer.join();
  });
}

}  // namespace
}  // namespace atrium
