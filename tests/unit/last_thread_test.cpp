// What is left alone where a process cannot be told of its last thread (network/last_thread.hpp).
// SPDX-License-Identifier: BSD-3-Clause
#include "network/last_thread.hpp"

#include <gtest/gtest.h>
#include <limits.h>
#include <pthread.h>

#include <vector>

namespace atrium {
namespace {

std::vector<void*> values_of_this_thread() {
  std::vector<void*> values;
  for (pthread_key_t key = 0; key < PTHREAD_KEYS_MAX; ++key) values.push_back(pthread_getspecific(key));
  return values;
}

TEST(LastThread, a_program_that_has_taken_all_keys_keeps_its_values) {
  for (pthread_key_t key; pthread_key_create(&key, nullptr) == 0;) continue;
  const std::vector<void*> before = values_of_this_thread();
  end_with_the_last_thread([](int) { return false; });
  EXPECT_EQ(values_of_this_thread(), before);
}

}  // namespace
}  // namespace atrium
