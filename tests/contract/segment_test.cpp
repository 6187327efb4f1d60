// What every kind of segment promises (segment/segment.hpp).
// SPDX-License-Identifier: BSD-3-Clause
#include "segment/segment.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "atrium_system.hpp"
#include "os/job_memory.hpp"
#include "os/page.hpp"

namespace atrium {
namespace {

std::vector<std::string_view> names() {
  std::vector<std::string_view> names;
  for (const SegmentKind& kind : segment_kinds()) names.push_back(kind.name);
  return names;
}

constexpr size_t length = size_t{4} << 20;

class SegmentContract : public testing::TestWithParam<std::string_view> {
 protected:
  void SetUp() override {
    auto memory = create_job_memory();
    ASSERT_TRUE(memory) << memory.error().because;
    job_memory_ = *memory;
    auto made = segment_kind(GetParam()).create(job_memory_, length);
    ASSERT_TRUE(made) << made.error().because;
    segment_ = std::move(*made);
    if (!segment_->commit(length, 0)) GTEST_SKIP() << "/dev/shm is too small";
  }
  void TearDown() override {
    segment_.reset();
    ::close(job_memory_);
  }

  // A mapping of [offset, offset + bytes) at a place of its own.
  static std::byte* map(Segment& segment, size_t bytes, size_t offset) {
    void* where = ::mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    auto mapped = segment.map(where, bytes, offset);
    EXPECT_TRUE(mapped) << mapped.error().because;
    return static_cast<std::byte*>(where);
  }

  int job_memory_ = -1;
  std::unique_ptr<Segment> segment_;
};

TEST_P(SegmentContract, reads_as_zeros_where_nobody_has_written) {
  const std::byte* memory = map(*segment_, length, 0);
  for (size_t i = 0; i < length; i += 4096) EXPECT_EQ(memory[i], std::byte{0});
}

TEST_P(SegmentContract, two_mappings_of_one_part_are_the_same_memory) {
  std::byte* one = map(*segment_, length, 0);
  std::byte* other = map(*segment_, page_size(), 3 * page_size());
  one[3 * page_size() + 5] = std::byte{7};
  EXPECT_EQ(other[5], std::byte{7});
  other[6] = std::byte{8};
  EXPECT_EQ(one[3 * page_size() + 6], std::byte{8});
}

TEST_P(SegmentContract, mapping_replaces_what_was_there) {
  std::byte* where = map(*segment_, page_size(), 0);
  where[0] = std::byte{1};
  ASSERT_TRUE(segment_->map(where, page_size(), page_size()));
  EXPECT_EQ(where[0], std::byte{0});
}

TEST_P(SegmentContract, several_parts_are_mapped_at_once_each_with_its_length) {
  const size_t page = page_size();
  std::byte* const whole = map(*segment_, length, 0);
  std::byte* const where = map(*segment_, 4 * page, 8 * page);
  whole[8 * page] = whole[11 * page] = std::byte{1};
  const Segment::Part parts[] = {
      {where + page, page, 5 * page}, {where, 0, 0}, {where + 2 * page, 2 * page, 0}};
  ASSERT_TRUE(segment_->map_each(parts));
  whole[5 * page] = std::byte{2};
  whole[page] = std::byte{3};
  EXPECT_EQ(where[0], std::byte{1});
  EXPECT_EQ(where[page], std::byte{2});
  EXPECT_EQ(where[3 * page], std::byte{3});
}

TEST_P(SegmentContract, a_part_is_mapped_wherever_there_is_room) {
  std::byte* const whole = map(*segment_, length, 0);
  auto where = segment_->map_anywhere(2 * page_size(), 3 * page_size());
  ASSERT_TRUE(where) << where.error().because;
  static_cast<std::byte*>(*where)[page_size()] = std::byte{4};
  EXPECT_EQ(whole[4 * page_size()], std::byte{4});
}

TEST_P(SegmentContract, another_process_opens_it_with_the_ticket) {
  std::byte* memory = map(*segment_, page_size(), 0);
  const SegmentTicket ticket = segment_->ticket();
  const pid_t child = fork();
  if (child == 0) {
    auto opened = segment_kind(GetParam()).attach(job_memory_, ticket);
    if (!opened) _exit(1);
    map(**opened, page_size(), 0)[9] = std::byte{42};
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_EQ(status, 0);
  EXPECT_EQ(memory[9], std::byte{42});
}

TEST_P(SegmentContract, committed_memory_can_be_touched) {
  std::byte* memory = map(*segment_, length, 0);
  ASSERT_TRUE(segment_->commit(length, 0));
  std::memset(memory, 1, length);
  EXPECT_EQ(memory[length - 1], std::byte{1});
}

TEST_P(SegmentContract, discarded_memory_reads_as_zeros) {
  std::byte* memory = map(*segment_, length, 0);
  std::memset(memory, 1, length);
  ASSERT_TRUE(segment_->discard(memory + page_size(), page_size(), page_size()));
  EXPECT_EQ(memory[page_size()], std::byte{0});
  EXPECT_EQ(memory[0], std::byte{1});
  EXPECT_EQ(memory[2 * page_size()], std::byte{1});
}

TEST_P(SegmentContract, written_pages_count_as_data) {
  std::byte* memory = map(*segment_, length, 0);
  const size_t written = 5 * page_size();
  memory[written] = std::byte{1};
  bool covered = false;
  for (size_t at = segment_->next_data(0, length); at < length;) {
    const size_t hole = segment_->next_hole(at, length);
    covered |= at <= written && written < hole;
    at = segment_->next_data(hole, length);
  }
  EXPECT_TRUE(covered);
}

TEST_P(SegmentContract, has_no_name_while_it_lives) {
  const std::string mine = std::to_string(getpid());
  EXPECT_EQ(read_small_file("/proc/self/maps").find("/dev/shm/atrium." + mine + ".0"), std::string::npos);
  EXPECT_NE(::access(("/dev/shm/atrium." + mine).c_str(), F_OK), 0);
}

TEST_P(SegmentContract, a_size_beyond_all_bounds_is_an_error_with_a_reason) {
  auto huge = segment_kind(GetParam()).create(job_memory_, size_t{1} << 63);
  ASSERT_FALSE(huge);
  EXPECT_FALSE(huge.error().because.empty());
}

// A daemon closes all descriptors that it does not know, and what it opens then gets their numbers.
TEST_P(SegmentContract, leaves_a_file_alone_that_is_opened_under_its_descriptor) {
  if (GetParam() == "sysv") return;  // it has none
  const std::string text(length, 'x');
  const int file = ::memfd_create("other", 0);
  ASSERT_EQ(::write(file, text.data(), text.size()), static_cast<ssize_t>(text.size()));
  const int here = static_cast<int>(segment_->ticket().number), kept = ::dup(here);
  std::byte* const memory = map(*segment_, length, 0);
  ::dup2(file, here);
  EXPECT_FALSE(segment_->discard(memory, length, 0));
  EXPECT_FALSE(segment_->map(memory, length, 0));
  EXPECT_FALSE(segment_->map_anywhere(length, 0));
  EXPECT_EQ(segment_->next_data(page_size(), length), page_size());
  EXPECT_EQ(segment_->next_hole(page_size(), length), length);
  if (segment_->is_bounded()) {
    EXPECT_FALSE(segment_->commit(length, 0));
  }
  std::string after(length, ' ');
  EXPECT_EQ(::pread(file, after.data(), length, 0), static_cast<ssize_t>(length));
  EXPECT_TRUE(after == text);
  EXPECT_EQ(::lseek(file, 0, SEEK_CUR), static_cast<off_t>(length));
  ::dup2(kept, here);
  for (const int descriptor : {file, kept}) ::close(descriptor);
  EXPECT_TRUE(segment_->discard(memory, length, 0));
}

INSTANTIATE_TEST_SUITE_P(segment, SegmentContract, testing::ValuesIn(names()),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace atrium
