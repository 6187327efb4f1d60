// Memory without a name: every way to get it gives the same thing.
// SPDX-License-Identifier: BSD-3-Clause
#include "os/job_memory.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace atrium {
namespace {

void expect_good_memory(Result<int> memory) {
  if (!memory) GTEST_SKIP() << memory.error().because;
  const int fd = *memory;
  struct stat info {};
  fstat(fd, &info);
  EXPECT_EQ(info.st_size, 0);
  EXPECT_EQ(info.st_mode & 0777, 0600u);
  EXPECT_EQ(info.st_nlink, 0u);
  EXPECT_TRUE(fcntl(fd, F_GETFD) & FD_CLOEXEC);
  ASSERT_EQ(ftruncate(fd, 4096), 0);
  char* first = static_cast<char*>(mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0));
  char* second = static_cast<char*>(mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0));
  first[5] = 7;
  EXPECT_EQ(second[5], 7);
  munmap(first, 4096);
  munmap(second, 4096);
  close(fd);
}

TEST(JobMemory, of_the_first_way_that_works) { expect_good_memory(create_job_memory()); }
TEST(JobMemory, from_memfd) { expect_good_memory(create_memfd()); }
TEST(JobMemory, from_a_file_without_a_name) { expect_good_memory(create_unnamed_file("/tmp")); }
TEST(JobMemory, from_unlinked_shared_memory) { expect_good_memory(create_unlinked_shm()); }

TEST(JobMemory, says_why_it_cannot_be_had) {
  Result<int> memory = create_unnamed_file("/no/such/folder");
  ASSERT_FALSE(memory);
  EXPECT_NE(memory.error().because.find("No such file"), std::string::npos);
}

TEST(JobMemory, is_never_where_a_program_prints) {
  const int input = dup(STDIN_FILENO), error = dup(STDERR_FILENO);
  close(STDIN_FILENO);
  close(STDERR_FILENO);
  for (Result<int> memory : {create_memfd(), create_unnamed_file("/tmp"), create_unlinked_shm()}) {
    if (!memory) continue;
    EXPECT_GT(*memory, STDERR_FILENO);
    EXPECT_TRUE(fcntl(*memory, F_GETFD) & FD_CLOEXEC);
    close(*memory);
  }
  EXPECT_EQ(fcntl(STDERR_FILENO, F_GETFD), -1);
  dup2(input, STDIN_FILENO);
  dup2(error, STDERR_FILENO);
  for (const int kept : {input, error}) close(kept);
}

}  // namespace
}  // namespace atrium
