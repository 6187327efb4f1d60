// The command line of oshrun becomes the options that it means, or an error that names the word.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/cli/options.hpp"

#include <gtest/gtest.h>

#include "launch/cli/combinations.hpp"

namespace atrium {
namespace {

TEST(Options, keep_the_program_and_its_flags_apart) {
  auto options = parse_options({"-n", "4", "--tag-output", "prog", "-n", "7"});
  ASSERT_TRUE(options);
  EXPECT_EQ(options->pes, 4);
  EXPECT_TRUE(options->tag_output);
  EXPECT_EQ(options->command, (std::vector<std::string>{"prog", "-n", "7"}));
}

TEST(Options, take_values_with_and_without_an_equals_sign) {
  EXPECT_EQ(parse_options({"--timeout=5", "p"})->timeout_seconds, 5);
  EXPECT_EQ(parse_options({"-timeout", "5", "p"})->timeout_seconds, 5);
}

TEST(Options, take_an_optional_value_only_after_an_equals_sign) {
  auto options = parse_options({"--gdb", "prog"});
  ASSERT_TRUE(options);
  EXPECT_EQ(options->command.front(), "prog");
  EXPECT_EQ(parse_options({"--gdb=1-2", "prog"})->wraps.at(0).pes.numbers, (std::vector<int>{1, 2}));
}

TEST(Options, take_no_flag_for_the_value_of_another) {
  auto options = parse_options({"--trace", "-n", "2", "a.out"});
  ASSERT_FALSE(options);
  EXPECT_EQ(options.error().what, "--trace needs a value, and -n is a flag");
  EXPECT_TRUE(parse_options({"--trace=-n", "a.out"}));
  EXPECT_TRUE(parse_options({"--trace", "-a-file", "a.out"}));
  EXPECT_EQ(parse_options({"-env", "WORDS", "-n", "a.out"})->variables.at(0).value, "-n");
}

TEST(Options, name_the_flag_that_has_no_number) {
  EXPECT_TRUE(parse_options({"-n", "x", "a.out"}).error().what.starts_with("-n needs a number of PEs"));
  EXPECT_TRUE(parse_options({"-N", "x", "a.out"}).error().what.starts_with("-N needs a number of PEs"));
}

TEST(Options, keep_equals_signs_in_values) {
  auto options = parse_options({"-x", "A=b=c", "p"});
  EXPECT_EQ(options->variables.at(0).name, "A");
  EXPECT_EQ(options->variables.at(0).value, "b=c");
}

TEST(Options, of_nothing_are_refused) {
  EXPECT_FALSE(parse_options({"--check=", "p"}));
  EXPECT_FALSE(parse_options({"--wdir", "", "p"}));
  EXPECT_TRUE(parse_options({"--valgrind=none", "p"})->wraps.empty());
}

bool make_sense(std::vector<std::string> words) {
  words.push_back("p");
  return static_cast<bool>(require_combinations_make_sense(*parse_options(words)));
}

TEST(Options, that_exclude_each_other_are_refused) {
  EXPECT_FALSE(make_sense({"--gdb", "--valgrind=1"}));
  EXPECT_FALSE(make_sense({"--gdb=0-1", "--valgrind=1"}));
  EXPECT_TRUE(make_sense({"--gdb=0", "--valgrind=1"}));
  EXPECT_FALSE(make_sense({"--check=races", "--valgrind"}));
  EXPECT_TRUE(make_sense({"--check", "--valgrind"}));
  EXPECT_FALSE(make_sense({"--check=races", "--profile"}));
  EXPECT_FALSE(make_sense({"--trace-size=64M"}));
  EXPECT_TRUE(make_sense({"--trace-size=64M", "--trace=t.json"}));
}

TEST(Options, read_sets_of_pes) {
  EXPECT_TRUE(parse_pe_set("all")->has(7));
  EXPECT_FALSE(parse_pe_set("none")->has(0));
  EXPECT_TRUE(parse_pe_set("0,2-4")->has(3));
  EXPECT_FALSE(parse_pe_set("0,2-4")->has(1));
  for (const char* bad : {"", "x", "1,", "-1", "3-1", "1 2"}) EXPECT_FALSE(parse_pe_set(bad)) << bad;
}

}  // namespace
}  // namespace atrium
