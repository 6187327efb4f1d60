// Direct pointers, and when there are none.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "../small_job.hpp"
#include "ops/pointer.hpp"
#include "ops/put.hpp"

namespace atrium {
namespace {

TEST(Pointer, it_shows_the_peers_copy_of_heap_and_static_data) {
  SmallJob job(2);
  job.run([](const SmallJob& job) {
    const int peer = 1 - job.me();
    for (long* object : {job.heap<long>(static_cast<size_t>(job.me()) * 64),
                         job.globals<long>(static_cast<size_t>(job.me()) * 64)}) {
      p(default_context, object, 41L, peer);
      auto* there = static_cast<long*>(ptr(object, peer));
      ASSERT_NE(there, nullptr);
      EXPECT_EQ(*there, 41);
      EXPECT_NE(there, object);
      EXPECT_EQ(ptr(object, job.me()), object);
      EXPECT_EQ(team_ptr(default_context.team, object, peer), there);
      EXPECT_EQ(addr_accessible(object, peer), 1);
    }
  });
}

TEST(Pointer, there_is_none_for_private_memory_or_a_pe_that_does_not_exist) {
  SmallJob job(2);
  job.run([](const SmallJob& job) {
    long local = 0;
    EXPECT_EQ(ptr(&local, 0), nullptr);
    EXPECT_EQ(ptr(nullptr, 0), nullptr);
    EXPECT_EQ(ptr(job.heap<long>(SmallJob::heap_bytes), 0), nullptr);
    EXPECT_EQ(ptr(job.heap<long>(0), 2), nullptr);
    EXPECT_EQ(ptr(job.heap<long>(0), -1), nullptr);
    EXPECT_EQ(team_ptr(SHMEM_TEAM_INVALID, job.heap<long>(0), 0), nullptr);
    EXPECT_EQ(addr_accessible(&local, 0), 0);
    EXPECT_EQ(pe_accessible(0), 1);
    EXPECT_EQ(pe_accessible(2), 0);
    EXPECT_EQ(pe_accessible(-1), 0);
  });
}

}  // namespace
}  // namespace atrium
