// Network cards of recorded hosts, and what is said of one that a job does not use.
// SPDX-License-Identifier: BSD-3-Clause
#include "job/unused_card.hpp"

#include <gtest/gtest.h>

#include "folder.hpp"
#include "os/rdma_devices.hpp"

namespace atrium {
namespace {

const std::vector<ProviderFinding> verbs_failed = {
    {"verbs;ofi_rxm", cannot_be_opened, "fi_enable: Invalid argument"}};

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

TEST(UnusedCard, is_named_with_the_reasons_of_what_could_have_used_it) {
  const std::string text = text_of_unused_card({"rxe0"}, "tcp;ofi_rxm", true, verbs_failed);
  EXPECT_NE(text.find("rxe0"), std::string::npos) << text;
  EXPECT_NE(text.find("fi_enable: Invalid argument"), std::string::npos) << text;
  EXPECT_NE(text.find("ATRIUM_NET=tcp;ofi_rxm"), std::string::npos) << text;
}

TEST(UnusedCard, there_is_none_where_the_card_is_used_or_missing) {
  EXPECT_EQ(text_of_unused_card({"rxe0"}, "verbs;ofi_rxm", false, {}), "");
  EXPECT_EQ(text_of_unused_card({}, "tcp;ofi_rxm", true, verbs_failed), "");
}

}  // namespace
}  // namespace atrium
