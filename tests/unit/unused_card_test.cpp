// Network cards of recorded hosts, and what is said of one that a job does not use.
// SPDX-License-Identifier: BSD-3-Clause
#include "job/unused_card.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "folder.hpp"
#include "os/rdma_devices.hpp"

namespace atrium {
namespace {

const std::vector<ProviderFinding> verbs_failed = {
    {"cxi", "not usable", provider_is_not_here, true},
    {"verbs;ofi_rxm", cannot_be_opened, "fi_enable: Invalid argument", true},
    {"tcp", "not usable", "in this libfabric only below other layers"}};

TEST(RdmaDevices, are_those_with_an_active_port) {
  const Folder system;
  system.write("rxe0/ports/1/state", "4: ACTIVE\n");
  system.write("mlx5_0/ports/1/state", "1: DOWN\n");
  system.write("mlx5_0/ports/2/state", "4: ACTIVE\n");
  system.write("mlx5_1/ports/1/state", "1: DOWN\n");
  system.write("hfi1_0/ports/1/state", "2: INIT\n");
  system.write("odd0/x", "");
  EXPECT_EQ(active_rdma_devices(system.path()), (std::vector<std::string>{"mlx5_0", "rxe0"}));
  EXPECT_TRUE(active_rdma_devices(system.path() + "/not-there").empty());
}

// Each is in the way once the one before it is not.
TEST(RdmaDevices, what_is_in_the_way_of_verbs_is_found) {
  const Folder system, files;
  const auto obstacle = [&] { return obstacle_to_verbs(system.path(), files.path()); };
  EXPECT_EQ(obstacle(), "");
  system.write("rxe0/ports/1/state", "1: DOWN\n");
  EXPECT_EQ(obstacle(), "no port of rxe0 is active");
  system.write("rxe0/ports/1/state", "4: ACTIVE\n");
  EXPECT_NE(obstacle().find("uverbs0: No such file"), std::string::npos) << obstacle();
  files.write("uverbs3", "");
  EXPECT_NE(obstacle().find("rdma_cm: No such file or directory (the module rdma_ucm"), std::string::npos)
      << obstacle();
  files.write("rdma_cm", "");
  EXPECT_TRUE(obstacle().empty() || obstacle().find("localhost") != std::string::npos) << obstacle();
}

TEST(RdmaDevices, one_that_cannot_be_opened_is_in_the_way) {
  const Folder system, files;
  system.write("rxe0/ports/1/state", "4: ACTIVE\n");
  std::filesystem::create_symlink("uverbs0", files.path() + "/uverbs0");
  const std::string obstacle = obstacle_to_verbs(system.path(), files.path());
  EXPECT_EQ(obstacle, files.path() + "/uverbs0: " + std::strerror(ELOOP));
}

TEST(UnusedCard, is_named_with_the_reasons_of_what_could_have_used_it) {
  const std::string text = text_of_unused_card({"rxe0"}, "tcp;ofi_rxm", true, verbs_failed);
  EXPECT_NE(text.find("rxe0"), std::string::npos) << text;
  EXPECT_NE(text.find("fi_enable: Invalid argument"), std::string::npos) << text;
  EXPECT_NE(text.find("ATRIUM_NET=tcp;ofi_rxm"), std::string::npos) << text;
  EXPECT_EQ(text.find("cxi"), std::string::npos) << text;
  EXPECT_EQ(text.find("layers"), std::string::npos) << text;
}

TEST(UnusedCard, is_named_where_no_provider_knows_its_kind) {
  const std::string text =
      text_of_unused_card({"odd0"}, "tcp", true, {{"cxi", "not usable", provider_is_not_here, true}});
  EXPECT_NE(text.find("(odd0): libfabric has no provider"), std::string::npos) << text;
}

TEST(UnusedCard, there_is_none_where_the_card_is_used_or_missing) {
  EXPECT_EQ(text_of_unused_card({"rxe0"}, "verbs;ofi_rxm", false, {}), "");
  EXPECT_EQ(text_of_unused_card({}, "tcp;ofi_rxm", true, verbs_failed), "");
}

}  // namespace
}  // namespace atrium
