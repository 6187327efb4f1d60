// Which network the hosts of a job share (topology/networks.hpp).
// SPDX-License-Identifier: BSD-3-Clause
#include "topology/networks.hpp"

#include <gtest/gtest.h>

namespace atrium {
namespace {

using Texts = std::vector<std::string>;

TEST(Networks, the_first_that_all_hosts_are_in_is_taken) {
  EXPECT_EQ(addresses_in_common({{"10.9.0.1/24", "10.77.0.1/24", "10.78.0.1/24"},
                                 {"10.78.0.2/24", "10.77.0.2/24"},
                                 {"10.9.2.1/24", "10.77.0.3/24", "10.78.0.3/24"}}),
            (Texts{"10.77.0.1", "10.77.0.2", "10.77.0.3"}));
  EXPECT_EQ(addresses_in_common({{"10.77.0.1/24"}, {"10.77.0.2/16"}}), Texts{});
  EXPECT_EQ(addresses_in_common({{"10.77.0.1/24"}, {}}), Texts{});
  EXPECT_EQ(addresses_in_common({}), Texts{});
}

TEST(Networks, a_bridge_with_the_same_address_everywhere_is_none) {
  EXPECT_EQ(addresses_in_common({{"172.17.0.1/16", "10.77.0.1/24"}, {"172.17.0.1/16", "10.77.0.2/24"}}),
            (Texts{"10.77.0.1", "10.77.0.2"}));
}

TEST(Networks, what_is_no_network_is_passed_over) {
  EXPECT_EQ(
      addresses_in_common({{"", "/", "10.77.0.1", "x/24", "10.77.0.1/0", "10.77.0.1/33", "10.77.0.1/24"},
                           {"10.77.0.2/24/", "10.77.0.2/24"}}),
      (Texts{"10.77.0.1", "10.77.0.2"}));
}

TEST(Networks, one_is_put_first_and_the_others_keep_their_order) {
  Texts networks{"10.1.0.1/24", "10.1.0.11/24", "10.3.0.1/24", "10.1.0.1/16"};
  put_first(networks, "10.3.0.1");
  EXPECT_EQ(networks, (Texts{"10.3.0.1/24", "10.1.0.1/24", "10.1.0.11/24", "10.1.0.1/16"}));
  const Texts before = networks;
  for (const char* other : {"", "10.1", "10.9.0.1"}) put_first(networks, other);
  EXPECT_EQ(networks, before);
}

}  // namespace
}  // namespace atrium
