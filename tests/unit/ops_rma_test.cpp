// Put, get, strided forms, p and g between processes.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "../small_job.hpp"
#include "ops/get.hpp"
#include "ops/ordering.hpp"
#include "ops/put.hpp"
#include "ops/strided.hpp"

namespace atrium {
namespace {

// Every PE puts to all others, then gets back what the others have; no meeting is needed for the latter.
template <class T>
void put_and_get_everywhere(const SmallJob& job, T* block, size_t nelems) {
  std::vector<T> mine(nelems, static_cast<T>(job.me() + 1));
  for (int pe = 0; pe < job.npes(); ++pe) {
    T* slot = block + static_cast<size_t>(job.me()) * nelems;
    put(default_context, slot, mine.data(), nelems, pe);
    std::vector<T> back(nelems);
    get(default_context, back.data(), slot, nelems, pe);
    EXPECT_EQ(back, mine);
  }
}

TEST(Rma, what_was_put_can_be_got_for_every_element_size_in_heap_and_static_data) {
  SmallJob job(3);
  job.run([](const SmallJob& job) {
    put_and_get_everywhere<char>(job, job.heap<char>(0), 13);
    put_and_get_everywhere<short>(job, job.heap<short>(1024), 13);
    put_and_get_everywhere<int>(job, job.globals<int>(2048), 13);
    put_and_get_everywhere<double>(job, job.globals<double>(4096), 13);
    put_and_get_everywhere<long double>(job, job.heap<long double>(8192), 5);
    put_and_get_everywhere<long>(job, job.heap<long>(16384), 4000);
  });
}

TEST(Rma, single_elements_arrive_whole) {
  SmallJob job(2);
  job.run([](const SmallJob& job) {
    const int peer = 1 - job.me();
    auto* slots = job.heap<double>(static_cast<size_t>(job.me()) * 64);
    p(default_context, slots, 2.5 + job.me(), peer);
    EXPECT_EQ(g(default_context, slots, peer), 2.5 + job.me());
    auto* wide = job.globals<long double>(static_cast<size_t>(job.me()) * 64);
    p(default_context, wide, 1.25L, peer);
    EXPECT_EQ(g(default_context, wide, peer), 1.25L);
  });
}

TEST(Rma, a_negative_double_and_a_small_integer_keep_their_bits) {
  SmallJob job(1);
  job.run([](const SmallJob& job) {
    p(default_context, job.heap<float>(0), -0.0f, 0);
    EXPECT_TRUE(std::signbit(g(default_context, job.heap<float>(0), 0)));
    p(default_context, job.heap<signed char>(64), static_cast<signed char>(-3), 0);
    EXPECT_EQ(g(default_context, job.heap<signed char>(64), 0), -3);
  });
}

TEST(Rma, elements_that_were_not_addressed_stay) {
  SmallJob job(1);
  job.run([](const SmallJob& job) {
    long* dest = job.heap<long>(0);
    std::fill_n(dest, 64, -1);
    const long source[] = {0, 1, 2, 3, 4, 5, 6, 7};
    iput(default_context, dest, source, 3, 2, 4, 0);
    for (int i = 0; i < 12; ++i) EXPECT_EQ(dest[i], i % 3 == 0 ? 2 * (i / 3) : -1) << i;
    long back[8] = {};
    iget(default_context, back, dest, 2, 3, 4, 0);
    EXPECT_EQ(back[6], 6);
    EXPECT_EQ(back[1], 0);
  });
}

TEST(Rma, blocks_move_whole) {
  SmallJob job(2);
  job.run([](const SmallJob& job) {
    int* dest = job.heap<int>(static_cast<size_t>(job.me()) * 4096);
    std::vector<int> source(30);
    std::iota(source.begin(), source.end(), 0);
    const int peer = 1 - job.me();
    ibput(default_context, dest, source.data(), 5, 7, 3, 4, peer);
    std::vector<int> back(30, -1);
    ibget(default_context, back.data(), dest, 7, 5, 3, 4, peer);
    for (int i = 0; i < 28; ++i) EXPECT_EQ(back[i], i % 7 < 3 && i < 24 ? i : -1) << i;
  });
}

TEST(Rma, nothing_is_done_with_no_elements_and_null_pointers) {
  SmallJob job(1);
  job.run([](const SmallJob&) {
    put<long>(default_context, nullptr, nullptr, 0, 0);
    get<long>(default_context, nullptr, nullptr, 0, 0);
    iput<long>(default_context, nullptr, nullptr, 1, 1, 0, 0);
    ibget<long>(default_context, nullptr, nullptr, 1, 1, 0, 4, 0);
    pe_quiet(default_context, nullptr, 0);
  });
}

TEST(Rma, order_on_no_context_does_nothing) {
  fence(context_of(SHMEM_CTX_INVALID));
  quiet(context_of(SHMEM_CTX_INVALID));
  const int pe = 0;
  pe_quiet(context_of(SHMEM_CTX_INVALID), &pe, 1);
}

}  // namespace
}  // namespace atrium
