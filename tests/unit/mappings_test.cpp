// What a process has mapped.
// SPDX-License-Identifier: BSD-3-Clause
#include "symbols/mappings.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>

#include "os/page.hpp"

namespace atrium {
namespace {

TEST(Mappings, say_what_can_be_read_as_their_lines_do) {
  for (const MapsLine& line : mappings_of(getpid())) {
    if (!line.name.starts_with('/')) continue;  // others may change meanwhile
    EXPECT_EQ(has_readable_memory(getpid(), line.begin), line.is_readable) << line.name;
    EXPECT_EQ(has_readable_memory(getpid(), line.end - 1), line.is_readable) << line.name;
  }
}

TEST(Mappings, end_where_they_end) {
  const size_t page = page_size();
  auto* const memory =
      static_cast<char*>(mmap(nullptr, 3 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  const auto begin = reinterpret_cast<uintptr_t>(memory);
  EXPECT_FALSE(has_readable_memory(getpid(), begin + page));
  mprotect(memory + page, page, PROT_READ);
  EXPECT_FALSE(has_readable_memory(getpid(), begin + page - 1));
  EXPECT_TRUE(has_readable_memory(getpid(), begin + page));
  EXPECT_TRUE(has_readable_memory(getpid(), begin + 2 * page - 1));
  EXPECT_FALSE(has_readable_memory(getpid(), begin + 2 * page));
  munmap(memory, 3 * page);
  EXPECT_FALSE(has_readable_memory(getpid(), begin + page));
}

TEST(Mappings, of_no_process_have_nothing) {
  EXPECT_FALSE(has_readable_memory(-1, reinterpret_cast<uintptr_t>(&errno)));
  EXPECT_TRUE(mappings_of(-1).empty());
}

}  // namespace
}  // namespace atrium
