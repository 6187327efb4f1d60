// What makes a provider unusable that answers to the hints.
// SPDX-License-Identifier: BSD-3-Clause
#include "engine/fabric_choice.hpp"

#include <gtest/gtest.h>

#include <cstring>

namespace atrium {
namespace {

class Shortcoming : public testing::Test {
 protected:
  Shortcoming() {
    info_.ep_attr = &endpoint_;
    info_.domain_attr = &domain_;
    endpoint_.max_msg_size = request_.message;
    domain_.mr_key_size = 8;
  }

  NetworkRequest request_;
  fi_ep_attr endpoint_{};
  fi_domain_attr domain_{};
  fi_info info_{};
};

TEST_F(Shortcoming, there_is_none_where_all_just_fits) { EXPECT_EQ(shortcoming(info_, request_), nullptr); }

TEST_F(Shortcoming, messages_must_hold_the_largest) {
  endpoint_.max_msg_size = request_.message - 1;
  EXPECT_STREQ(shortcoming(info_, request_), "its messages are too small");
}

TEST_F(Shortcoming, keys_of_our_choice_must_hold_a_secret) {
  domain_.mr_key_size = 4;
  EXPECT_NE(std::strstr(shortcoming(info_, request_), "too short"), nullptr);
  domain_.mr_mode = FI_MR_PROV_KEY;  // it chooses them
  EXPECT_EQ(shortcoming(info_, request_), nullptr);
}

}  // namespace
}  // namespace atrium
