// What wrong arguments get: a message with four parts and the end of the job.
// SPDX-License-Identifier: BSD-3-Clause
#include "check/check.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "../small_job.hpp"
#include "ops/atomic.hpp"
#include "ops/get.hpp"
#include "ops/lock.hpp"
#include "ops/put.hpp"
#include "ops/signal.hpp"
#include "ops/strided.hpp"
#include "ops/wait.hpp"

namespace atrium {
namespace {

// A job of one PE in this very process; each call below dies in a child of the death test.
class Check : public testing::Test {
 protected:
  void SetUp() override {
    setenv("ATRIUM_CHECK", "1", 1);
    configure_checks();
  }
  void TearDown() override {
    unsetenv("ATRIUM_CHECK");
    configure_checks();
  }
  // Runs `call` in a PE and returns what it said, with its status.
  static void expect_refusal(const std::function<void(const SmallJob&)>& call, const char* message) {
    EXPECT_EXIT(
        {
          SmallJob job(2);
          job.be_first_pe();
          call(job);
        },
        testing::ExitedWithCode(1), message);
  }
};

TEST_F(Check, a_pe_that_does_not_exist_is_named_also_without_checking) {
  detail::arguments_checked = false;
  expect_refusal([](auto& job) { p(default_context, job.template heap<long>(0), 1L, 7); },
                 "PE number 7 does not exist");
  expect_refusal([](auto& job) { g(default_context, job.template heap<long>(0), -1); }, "has 2 PEs");
}

TEST_F(Check, a_context_that_is_none_is_refused_also_without_checking) {
  detail::arguments_checked = false;
  expect_refusal([](auto& job) { p(context_of(SHMEM_CTX_INVALID), job.template heap<long>(0), 1L, 0); },
                 "the context is not valid");
}

TEST_F(Check, a_lock_is_cleared_by_its_holder_and_set_once) {
  expect_refusal([](auto& job) { clear_lock(job.template heap<long>(0)); }, "does not hold the lock");
  expect_refusal(
      [](auto& job) {
        set_lock(job.template heap<long>(0));
        set_lock(job.template heap<long>(0));
      },
      "holds the lock already");
  expect_refusal(
      [](auto& job) {
        if (test_lock(job.template heap<long>(0)) == 0) clear_lock(job.template heap<long>(0));
        clear_lock(job.template heap<long>(0));
      },
      "does not hold the lock");
}

TEST_F(Check, a_count_whose_bytes_overflow_leaves_symmetric_memory) {
  const size_t count = (size_t{1} << 61) + 1;  // times 8 is 8
  expect_refusal(
      [=](auto& job) {
        put(default_context, job.template heap<long>(0), job.template heap<long>(0), count, 1);
      },
      "dest leaves symmetric memory");
  expect_refusal(
      [=](auto& job) {
        get(default_context, job.template heap<long>(0), job.template heap<long>(0), count, 1);
      },
      "source leaves symmetric memory");
}

TEST_F(Check, a_call_before_init_says_so) {
  EXPECT_EXIT(refuse_pe(0, 1), testing::ExitedWithCode(1), "not initialised");
}

TEST_F(Check, an_address_on_the_stack_is_not_symmetric) {
  expect_refusal(
      [](auto&) {
        long local = 0;
        p(default_context, &local, 1L, 0);
      },
      "dest is not in symmetric memory");
}

TEST_F(Check, a_put_beyond_the_heap_is_refused) {
  expect_refusal(
      [](auto& job) {
        static char source[256];
        put(default_context, job.template heap<char>(SmallJob::heap_bytes - 100), source, 200, 1);
      },
      "dest leaves symmetric memory");
}

TEST_F(Check, a_misaligned_atomic_is_refused) {
  expect_refusal(
      [](auto& job) { atomic_inc(default_context, reinterpret_cast<long*>(job.template heap<char>(4)), 0); },
      "is not aligned");
}

TEST_F(Check, a_null_source_is_refused_unless_nothing_is_moved) {
  expect_refusal([](auto& job) { put<char>(default_context, job.template heap<char>(0), nullptr, 1, 0); },
                 "source is a null pointer");
}

TEST_F(Check, overlapping_buffers_are_refused) {
  expect_refusal(
      [](auto& job) {
        char* block = job.template heap<char>(0);
        put(default_context, block, block + 8, 16, 0);
      },
      "dest and source overlap");
}

TEST_F(Check, strides_shorter_than_a_block_are_refused) {
  expect_refusal(
      [](auto& job) {
        static int source[64];
        ibput(default_context, job.template heap<int>(0), source, 2, 3, 3, 4, 0);
      },
      "dst has no meaning");
}

TEST_F(Check, a_comparison_or_signal_operator_that_means_nothing_is_refused) {
  expect_refusal([](auto& job) { wait_until(job.template heap<int>(0), 77, 1); }, "cmp has no meaning");
  expect_refusal(
      [](auto& job) {
        put_signal<long>(default_context, nullptr, nullptr, 0, job.template heap<uint64_t>(0), 1, 99, 0);
      },
      "sig_op has no meaning");
}

TEST_F(Check, a_message_says_what_to_try) {
  expect_refusal([](auto& job) { p(default_context, job.template heap<long>(0), 1L, 7); },
                 "because: .*try: +a number from 0 to 1");
}

TEST(CheckSwitch, any_value_of_shmem_debug_switches_checking_on) {
  EXPECT_FALSE(checking());
  setenv("SHMEM_DEBUG", "0", 1);
  configure_checks();
  EXPECT_TRUE(checking());
  unsetenv("SHMEM_DEBUG");
  configure_checks();
  EXPECT_FALSE(checking());
}

}  // namespace
}  // namespace atrium
