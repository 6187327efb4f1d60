// How many PEs of a node own an endpoint (job/endpoint_count.hpp).
// SPDX-License-Identifier: BSD-3-Clause
#include "job/endpoint_count.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <climits>

namespace atrium {
namespace {

constexpr EndpointRequest unsaid{}, two{2}, all{INT_MAX};

TEST(EndpointCount, who_has_said_how_many_gets_so_many) {
  for (const EndpointCost cost : {EndpointCost::nothing, EndpointCost::connections, EndpointCost::much})
    for (const int others : {1, 1000}) {
      EXPECT_EQ(two.count(64, others, cost), 2);
      EXPECT_EQ(two.count(1, others, cost), 1);
      EXPECT_EQ(all.count(64, others, cost), 64);
    }
}

TEST(EndpointCount, each_pe_has_one_where_it_costs_nothing_and_four_do_where_it_costs_much) {
  for (const int others : {1, 1000}) {
    EXPECT_EQ(unsaid.count(64, others, EndpointCost::nothing), 64);
    EXPECT_EQ(unsaid.count(64, others, EndpointCost::much), 4);
    EXPECT_EQ(unsaid.count(3, others, EndpointCost::much), 3);
  }
}

TEST(EndpointCount, each_pe_has_one_where_it_costs_connections_and_these_are_few) {
  EXPECT_EQ(unsaid.count(64, 1, EndpointCost::connections), 64);
  EXPECT_EQ(unsaid.count(64, 8, EndpointCost::connections), 64);
  EXPECT_EQ(unsaid.count(64, 16, EndpointCost::connections), 32);
  EXPECT_EQ(unsaid.count(64, 1023, EndpointCost::connections), 4);
  EXPECT_EQ(unsaid.count(2, 1023, EndpointCost::connections), 2);
}

// Also of a node whose one endpoint has a connection to each of all others.
TEST(EndpointCount, a_node_has_at_most_half_as_many_connections_as_a_process_has_open_files) {
  constexpr int open_files = 1024;
  for (int others = 1; others <= 1000; ++others)
    EXPECT_LE(others * unsaid.count(INT_MAX, others, EndpointCost::connections),
              std::max(open_files / 2, 4 * others));
}

TEST(EndpointCount, those_that_have_one_surely_have_one) {
  for (const EndpointRequest& request : {unsaid, two, all})
    for (const EndpointCost cost : {EndpointCost::nothing, EndpointCost::connections, EndpointCost::much})
      for (const int places : {1, 3, 64})
        for (const int others : {1, 7, 1000}) {
          EXPECT_GE(request.count(places, others, cost), request.surely(places));
          EXPECT_LE(request.count(places, others, cost), places);
        }
}

}  // namespace
}  // namespace atrium
