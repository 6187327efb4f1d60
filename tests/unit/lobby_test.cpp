// What the PEs of a node write into the lobby for each other.
// SPDX-License-Identifier: BSD-3-Clause
#include "lobby/lobby.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <memory>
#include <string>
#include <vector>

namespace atrium {
namespace {

TEST(Lobby, each_cpu_of_a_large_machine_counts_once) {
  const auto lobby = std::make_unique<Lobby>();
  EXPECT_TRUE(lobby->cpus_of_all().empty());
  lobby->add_cpus(std::vector<int>{0, 1, 511});
  lobby->add_cpus(std::vector<int>{1, 512, 513, 767});
  EXPECT_EQ(lobby->cpus_of_all(), (std::vector<int>{0, 1, 511, 512, 513, 767}));
  lobby->add_cpus(std::vector<int>{8191, 8192, 100000});  // the last two are none that Linux knows
  EXPECT_EQ(lobby->cpus_of_all().back(), 8191);
}

// Why a PE cannot join a job whose oshrun says that it is of this version, and is another build.
std::string refusal_by_version(const char* launcher) {
  setenv(job_variable::version, launcher, 1);
  const auto lobby = std::make_unique<Lobby>();
  lobby->magic = lobby_magic;
  lobby->version = lobby_version + 1;
  const int file = memfd_create("another build's job", MFD_CLOEXEC);
  EXPECT_EQ(pwrite(file, lobby.get(), sizeof *lobby, 0), static_cast<ssize_t>(sizeof *lobby));
  auto placement = read_placement(file, 0);
  close(file);
  unsetenv(job_variable::version);
  return placement ? "joined" : placement.error().because;
}

TEST(Lobby, is_known_whatever_its_version_and_no_other_file_is) {
  const auto lobby = std::make_unique<Lobby>();
  const int file = memfd_create("a job, or not", MFD_CLOEXEC);
  EXPECT_EQ(pes_of_lobby(file), 0U);
  lobby->magic = lobby_magic;
  lobby->version = lobby_version + 1;
  lobby->pes = 7;
  EXPECT_EQ(pwrite(file, lobby.get(), sizeof *lobby, 0), static_cast<ssize_t>(sizeof *lobby));
  EXPECT_EQ(pes_of_lobby(file), 7U);
  close(file);
}

TEST(Lobby, of_an_oshrun_of_another_version_names_both) {
  EXPECT_EQ(refusal_by_version("0.0.9").find("oshrun is of Atrium 0.0.9, and the library ("), 0U);
}

TEST(Lobby, of_an_oshrun_of_another_build_says_that_they_do_not_fit) {
  EXPECT_NE(refusal_by_version(ATRIUM_VERSION).find("two builds of Atrium " ATRIUM_VERSION),
            std::string::npos);
}

}  // namespace
}  // namespace atrium
