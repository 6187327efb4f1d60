// Lists of numbers are parsed and printed, and the word nearest to a mistyped one is found.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "atrium_words.hpp"
#include "core/nearest.hpp"
#include "core/number_list.hpp"

namespace atrium {
namespace {

TEST(NumberList, reads_numbers_and_ranges) {
  EXPECT_EQ(parse_number_list("0,2-4"), (std::vector<int>{0, 2, 3, 4}));
  EXPECT_EQ(parse_number_list("7\n"), std::vector<int>{7});
}

TEST(NumberList, refuses_anything_else) {
  for (const char* bad : {"", "a", "1,", ",1", "3-1", "-1", "1 2", "0-4000000000", "99999999999"})
    EXPECT_FALSE(parse_number_list(bad)) << bad;
}

TEST(NumberList, is_written_as_it_is_read) {
  for (const char* text : {"0", "0,2-4", "1-2,9"})
    EXPECT_EQ(format_number_list(*parse_number_list(text)), text);
  EXPECT_EQ(format_number_list({}), "");
  EXPECT_EQ(format_pes({3}), "PE 3");
  EXPECT_EQ(format_pes({0, 2, 3, 4}), "PEs 0,2-4");
}

// Of RFC 8259, which wants UTF-8. Names of files are bytes.
TEST(Json, quotes_any_bytes) {
  EXPECT_EQ(quoted_for_json("a\"b\\c\n\x7f"), "\"a\\\"b\\\\c\\u000a\x7f\"");
  for (const char* letter : {"\u00fc", "\u20ac", "\ud7ff", "\ue000", "\U00010000", "\U0010ffff"})
    EXPECT_EQ(quoted_for_json(letter), std::string("\"") + letter + "\"");
  EXPECT_EQ(quoted_for_json("J\xfcrgen"), "\"J\\ufffdrgen\"");
  // Cut off, too long, half a pair, beyond Unicode, no beginning.
  for (const char* none :
       {"\xe2\x82", "\xc0\x80", "\xe0\x9f\xbf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\x80"}) {
    const std::string quoted = quoted_for_json(none);
    EXPECT_EQ(quoted.size(), 2 + std::string(none).size() * std::string("\\ufffd").size()) << quoted;
  }
}

TEST(EditDistance, counts_the_letters_that_differ) {
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("abc", "abc"), 0u);
  EXPECT_EQ(edit_distance("timout", "timeout"), 1u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
}

TEST(NearestWord, is_empty_when_all_are_far) {
  NearestWord nearest("abcdef", 2);
  nearest.offer("uvwxyz");
  EXPECT_EQ(nearest.word(), "");
  nearest.offer("abcdxy");
  nearest.offer("abcdex");
  EXPECT_EQ(nearest.word(), "abcdex");
}

}  // namespace
}  // namespace atrium
