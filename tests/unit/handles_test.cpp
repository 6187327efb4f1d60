// Sets of handles hold what was put in and not taken out, in whatever order.
// SPDX-License-Identifier: BSD-3-Clause
#include "check/handles.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <vector>

namespace atrium {
namespace {

TEST(HandleSet, an_empty_one_has_none) {
  HandleSet set;
  EXPECT_FALSE(set.contains(&set));
  EXPECT_FALSE(set.erase(&set));
}

TEST(HandleSet, a_handle_is_in_it_once) {
  HandleSet set;
  set.insert(&set);
  set.insert(&set);
  EXPECT_TRUE(set.contains(&set));
  EXPECT_TRUE(set.erase(&set));
  EXPECT_FALSE(set.contains(&set));
  EXPECT_FALSE(set.erase(&set));
}

// Among so few addresses many have one home, and what is taken out stood between others.
TEST(HandleSet, is_as_a_set_of_the_standard_library) {
  static const char objects[300] = {};
  std::mt19937 random(1);
  HandleSet set;
  std::set<const void*> model;
  for (int step = 0; step < 20'000; ++step) {
    const void* const handle = &objects[random() % std::size(objects)];
    if (random() % 2) {
      set.insert(handle);
      model.insert(handle);
    } else {
      EXPECT_EQ(set.erase(handle), model.erase(handle) == 1);
    }
    if (step % 50 != 0) continue;
    for (const char& object : objects) ASSERT_EQ(set.contains(&object), model.contains(&object)) << step;
  }
}

}  // namespace
}  // namespace atrium
