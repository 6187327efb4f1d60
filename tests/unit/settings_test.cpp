// Environment variables are read and refused as core/settings.hpp says.
// SPDX-License-Identifier: BSD-3-Clause
#include "core/settings.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <set>
#include <string>
#include <utility>

#include "atrium_settings.h"

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

TEST(Settings, what_has_more_digits_than_a_number_can_hold_is_no_size) {
  const std::string many(400, '3');
  for (const auto& text : {many, "." + many, many + "." + many, "1." + many + "k"})
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
  EXPECT_NE(word.error().because.find("one of memfd, posix, sysv"), std::string::npos);
}

TEST(Settings, a_number_is_never_negative) {
  Given bad("ATRIUM_WAIT_NOTE", "-1");
  EXPECT_FALSE(seconds_setting("ATRIUM_WAIT_NOTE"));
  Given also("ATRIUM_DOMAINS", "-1");
  EXPECT_FALSE(number_setting("ATRIUM_DOMAINS"));
}

TEST(Settings, seconds_may_have_decimals_whatever_the_locale_is) {
  Given half("ATRIUM_NET_TIMEOUT", "0.5");
  EXPECT_EQ(*seconds_setting("ATRIUM_NET_TIMEOUT"), 0.5);
  EXPECT_EQ(nanoseconds_of(0.5), 500'000'000u);
  EXPECT_EQ(whole_seconds_of(0.5), 1u);
  EXPECT_EQ(whole_seconds_of(2), 2u);
  EXPECT_GT(nanoseconds_of(1e300), uint64_t{1} << 60);
}

TEST(Settings, a_variable_that_is_set_to_nothing_is_not_given) {
  Given size("SHMEM_SYMMETRIC_SIZE", ""), word("ATRIUM_WAIT", ""), flag("ATRIUM_INLINE", "");
  EXPECT_EQ(setting("SHMEM_SYMMETRIC_SIZE"), "auto");
  EXPECT_EQ(*word_setting("ATRIUM_WAIT"), "auto");
  EXPECT_TRUE(flag_setting("ATRIUM_INLINE"));
}

TEST(Settings, auto_may_be_written_in_capital_letters_also_for_what_is_no_word) {
  for (const char* name : {"SHMEM_SYMMETRIC_SIZE", "ATRIUM_ENDPOINTS", "ATRIUM_COPY", "ATRIUM_NET"}) {
    const Given loud(name, "AUTO");
    EXPECT_EQ(setting(name), "auto");
    EXPECT_TRUE(check_setting(name)) << name;
  }
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
  for (const char* text : {"1", "on", "yes", "true", "On", "YES"}) {
    Given flag("ATRIUM_CHECK", text);
    EXPECT_TRUE(flag_setting("ATRIUM_CHECK")) << text;
  }
}

TEST(Settings, a_flag_that_is_neither_on_nor_off_is_an_error) {
  Given flag("ATRIUM_CHECK", "maybe");
  auto checked = check_settings();
  ASSERT_FALSE(checked);
  EXPECT_NE(checked.error().what.find("ATRIUM_CHECK=maybe"), std::string::npos);
  EXPECT_NE(checked.error().because.find("on or off"), std::string::npos);
}

TEST(Settings, the_defaults_are_values_of_their_kind) {
  EXPECT_TRUE(check_settings());
  for (const Setting& entry : all_settings()) {
    atrium_value value;
    if (*entry.fallback && std::string(entry.fallback) != "auto") {
      EXPECT_TRUE(atrium_parse_value(entry.kind, entry.fallback, &value)) << entry.name;
    }
  }
}

TEST(Settings, on_and_off_among_words_may_be_written_as_in_a_flag) {
  for (const auto& [text, word] : {std::pair{"1", "on"}, {"no", "off"}, {"AUTO", "auto"}, {"on", "on"}}) {
    Given pages("ATRIUM_HUGE_PAGES", text);
    EXPECT_EQ(*word_setting("ATRIUM_HUGE_PAGES"), word);
  }
}

TEST(Settings, a_range_takes_both_of_its_ends_and_nothing_beyond) {
  const auto is_good = [](const char* kind, const char* text) {
    atrium_value value;
    return atrium_parse_value(kind, text, &value) == 1;
  };
  for (const char* text : {"1", "64"}) EXPECT_TRUE(is_good("number 1..64", text)) << text;
  for (const char* text : {"0", "65", "", "x", "1.5", "99999999999999999999"})
    EXPECT_FALSE(is_good("number 1..64", text)) << text;
  for (const char* text : {"4K", "4096", "1.5m", "1T"}) EXPECT_TRUE(is_good("size 4K..1T", text)) << text;
  for (const char* text : {"4095", "1.1T"}) EXPECT_FALSE(is_good("size 4K..1T", text)) << text;
  for (const char* text : {"0.05", "3600"}) EXPECT_TRUE(is_good("seconds 0.05..3600", text)) << text;
  for (const char* text : {"0.04", "3600.1", "nan", "inf", "-1"})
    EXPECT_FALSE(is_good("seconds 0.05..3600", text)) << text;
  EXPECT_TRUE(is_good("size 1..", "8E3K"));
  EXPECT_FALSE(is_good("size 1..", "0"));
}

TEST(Settings, a_bad_value_is_told_what_would_be_right) {
  const auto wanted = [](const char* kind) {
    char text[128];
    atrium_describe_kind(kind, text, sizeof text);
    return std::string(text);
  };
  EXPECT_EQ(wanted("number"), "a whole number, 0 or more");
  EXPECT_EQ(wanted("number 1..64"), "a whole number from 1 to 64");
  EXPECT_EQ(wanted("size 4K.."), "a size (a number, then K, M, G or T), 4K or more");
  EXPECT_EQ(wanted("seconds 0.05..3600"), "a number of seconds from 0.05 to 3600");
  EXPECT_EQ(wanted("auto|on|off"), "one of auto, on, off");
}

TEST(Settings, a_misspelt_variable_is_noticed_and_the_nearest_one_named) {
  Given slip("ATRIUM_SEGMNET", "sysv");
  Given other("ATRIUM_XYLOPHONE_CONCERTO", "1");
  Given of_another_face("ATRIUM_REPORT", "1");
  Given standards("SHMEM_SYMETRIC_SIZE", "1G");
  Given of_another_library("SHMEM_OFI_PROVIDER", "tcp");
  std::set<std::string> seen;
  for (const Misspelt& variable : misspelt_variables()) seen.insert(variable.name + ">" + variable.nearest);
  EXPECT_TRUE(seen.contains("ATRIUM_SEGMNET>ATRIUM_SEGMENT"));
  EXPECT_TRUE(seen.contains("ATRIUM_XYLOPHONE_CONCERTO>"));
  EXPECT_TRUE(seen.contains("SHMEM_SYMETRIC_SIZE>SHMEM_SYMMETRIC_SIZE"));
  EXPECT_EQ(seen.size(), 3u);
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
