// Where static objects begin and end.
// SPDX-License-Identifier: BSD-3-Clause
#include "check/static_objects.hpp"

#include <gtest/gtest.h>

#include "os/executable.hpp"

namespace atrium {
namespace {

long in_this_program[3];

std::string name_at(const StaticObjects& objects, uintptr_t address) {
  const auto found = objects.around(address);
  return found ? name_in_source(*found->symbol) : "";
}

TEST(StaticObjects, are_found_from_their_first_to_their_last_byte) {
  const StaticObjects objects({{"b", 200, 16}, {"a", 100, 8}}, 1000);
  EXPECT_EQ(name_at(objects, 1099), "");
  EXPECT_EQ(name_at(objects, 1100), "a");
  EXPECT_EQ(name_at(objects, 1107), "a");
  EXPECT_EQ(name_at(objects, 1108), "") << "what lies between is nobody's";
  EXPECT_EQ(name_at(objects, 1215), "b");
  EXPECT_EQ(objects.around(1215)->begin, 1200u);
}

TEST(StaticObjects, that_overlap_count_as_the_one_that_reaches_furthest) {
  const StaticObjects objects({{"part", 108, 8}, {"whole", 100, 64}, {"alias", 100, 16}, {"tail", 150, 50}},
                              0);
  EXPECT_EQ(name_at(objects, 110), "whole");
  EXPECT_EQ(name_at(objects, 149), "whole");
  EXPECT_EQ(name_at(objects, 155), "tail") << "an access from there may go on to 200";
  EXPECT_EQ(name_at(objects, 199), "tail");
}

TEST(StaticObjects, of_no_table_are_none) {
  EXPECT_FALSE(StaticObjects({}, 0).around(0));
  EXPECT_FALSE(StaticObjects({}, 0).around(UINTPTR_MAX));
}

TEST(StaticObjects, of_this_program_have_their_names_and_sizes) {
  ASSERT_TRUE(executable_file_is_ours());
  const auto found = static_objects().around(reinterpret_cast<uintptr_t>(&in_this_program[2]));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->begin, reinterpret_cast<uintptr_t>(in_this_program));
  EXPECT_EQ(found->bytes, sizeof in_this_program);
  EXPECT_NE(name_in_source(*found->symbol).find("in_this_program"), std::string::npos);
}

TEST(NameInSource, is_without_what_compilers_add) {
  EXPECT_EQ(name_in_source("halo.1234"), "halo");
  EXPECT_EQ(name_in_source("main.halo"), "halo");
  EXPECT_EQ(name_in_source("halo.lto_priv.0"), "halo");
  EXPECT_EQ(name_in_source("_ZN4grid4haloE"), "grid::halo");
}

}  // namespace
}  // namespace atrium
