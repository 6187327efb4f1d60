// Reading the environment (core/settings.hpp).
// SPDX-License-Identifier: BSD-3-Clause
#include "core/settings.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

namespace atrium {
namespace {

// Sets a variable for one test.
class Given {
 public:
  Given(const char* name, const char* value) : name_(name) { ::setenv(name, value, 1); }
  ~Given() { ::unsetenv(name_); }

 private:
  const char* name_;
};

TEST(Settings, sizes_have_binary_suffixes_and_decimals) {
  EXPECT_EQ(parse_size("1024"), 1024u);
  EXPECT_EQ(parse_size("1k"), 1024u);
  EXPECT_EQ(parse_size(".5m"), 524288u);
  EXPECT_EQ(parse_size("3.1M"), 3250586u);
  EXPECT_EQ(parse_size("2G"), size_t{2} << 30);
  EXPECT_EQ(parse_size("1t"), size_t{1} << 40);
}

TEST(Settings, sizes_may_have_an_exponent) {
  EXPECT_EQ(parse_size("1e6"), 1000000u);
  EXPECT_EQ(parse_size("2.5E+3k"), 2560000u);
  EXPECT_EQ(parse_size("4096e-3"), 5u);  // never less than what was asked for
  EXPECT_EQ(parse_size("0e99999999"), 0u);
}

TEST(Settings, what_follows_the_suffix_is_ignored) { EXPECT_EQ(parse_size("2MiB"), size_t{2} << 20); }

TEST(Settings, nonsense_is_no_size) {
  for (const char* text : {"", "12Q", "abc", "-1", "-1k", "1e400", "1e", "1e+", "1e+-1", "1e9999999999",
                           "nan", "inf", ".", " 1"})
    EXPECT_FALSE(parse_size(text)) << text;
}

TEST(Settings, sizes_print_as_they_are_written) {
  EXPECT_EQ(format_size(1610612736), "1.5G");
  EXPECT_EQ(format_size(64), "64");
  EXPECT_EQ(format_size(SIZE_MAX), "16E");
}

TEST(Settings, the_old_prefix_is_honoured_and_the_new_one_wins) {
  Given old("SMA_SYMMETRIC_SIZE", "1M");
  EXPECT_EQ(*size_setting("SHMEM_SYMMETRIC_SIZE"), size_t{1} << 20);
  Given now("SHMEM_SYMMETRIC_SIZE", "2M");
  EXPECT_EQ(*size_setting("SHMEM_SYMMETRIC_SIZE"), size_t{2} << 20);
}

TEST(Settings, a_bad_size_is_an_error_that_names_the_variable_and_a_good_value) {
  Given bad("SHMEM_SYMMETRIC_SIZE", "12Q");
  auto size = size_setting("SHMEM_SYMMETRIC_SIZE");
  ASSERT_FALSE(size);
  EXPECT_NE(size.error().what.find("SHMEM_SYMMETRIC_SIZE=12Q"), std::string::npos);
  EXPECT_NE(size.error().remedy.find("SHMEM_SYMMETRIC_SIZE="), std::string::npos);
}

TEST(Settings, a_word_that_is_not_offered_is_an_error_that_lists_the_offer) {
  Given bad("ATRIUM_SEGMENT", "mmap");
  auto word = word_setting("ATRIUM_SEGMENT");
  ASSERT_FALSE(word);
  EXPECT_NE(word.error().because.find("memfd|posix|sysv"), std::string::npos);
}

TEST(Settings, a_number_is_never_negative) {
  Given bad("ATRIUM_WAIT_NOTE", "-1");
  EXPECT_FALSE(number_setting("ATRIUM_WAIT_NOTE"));
}

TEST(Settings, a_variable_that_is_set_to_nothing_is_not_given) {
  Given size("SHMEM_SYMMETRIC_SIZE", ""), word("ATRIUM_WAIT", ""), flag("ATRIUM_INLINE", "");
  EXPECT_EQ(setting("SHMEM_SYMMETRIC_SIZE"), "auto");
  EXPECT_EQ(*word_setting("ATRIUM_WAIT"), "auto");
  EXPECT_TRUE(flag_setting("ATRIUM_INLINE"));
}

TEST(Settings, any_value_makes_the_standards_switches_present) {
  EXPECT_FALSE(present("SHMEM_VERSION"));
  Given empty("SMA_VERSION", "");
  EXPECT_TRUE(present("SHMEM_VERSION"));
}

TEST(Settings, flags_are_off_for_the_words_that_mean_off) {
  for (const char* text : {"", "0", "off", "no", "false"}) {
    Given flag("ATRIUM_CHECK", text);
    EXPECT_FALSE(flag_setting("ATRIUM_CHECK")) << text;
  }
  Given flag("ATRIUM_CHECK", "1");
  EXPECT_TRUE(flag_setting("ATRIUM_CHECK"));
}

TEST(Settings, a_misspelt_variable_is_noticed_and_the_nearest_one_named) {
  Given slip("ATRIUM_SEGMNET", "sysv");
  Given other("ATRIUM_XYLOPHONE_CONCERTO", "1");
  Given of_another_face("ATRIUM_REPORT", "1");
  std::set<std::string> seen;
  for (const Misspelt& variable : misspelt_variables()) seen.insert(variable.name + ">" + variable.nearest);
  EXPECT_TRUE(seen.contains("ATRIUM_SEGMNET>ATRIUM_SEGMENT"));
  EXPECT_TRUE(seen.contains("ATRIUM_XYLOPHONE_CONCERTO>"));
  EXPECT_EQ(seen.size(), 2u);
}

TEST(Settings, every_row_of_the_table_is_documented) {
  std::set<std::string> names;
  for (const Setting& entry : all_settings()) {
    EXPECT_TRUE(names.insert(entry.name).second) << entry.name << " stands twice";
    EXPECT_GT(std::string(entry.meaning).size(), 10u) << entry.name;
  }
}

}  // namespace
}  // namespace atrium
