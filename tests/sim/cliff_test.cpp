// No collective jumps in time from n nodes to n + 1, nor where bytes are doubled: searched over a grid.
// SPDX-License-Identifier: BSD-3-Clause
#include "points.hpp"

namespace atrium::sim {
namespace {

constexpr double one_more = 2, twice_the_bytes = 2.2;

// Where an algorithm ends: at powers of two, and where the rooms of leaders are full. (From two nodes to three a sum takes
// 2.1 times as long: one round, and one more before and after it.)
TEST(Cliff, there_is_none_between_a_number_of_nodes_and_one_more) {
  for (const char* collective : {"barrier", "broadcast", "sum", "fcollect", "collect", "alltoall"})
    for (const int nodes : {4, 8, 12, 16, 32, 40})
      for (const size_t bytes : {size_t{8}, size_t{256}})
        expect_at_most(one_more, {collective, nodes + 1, 2, bytes}, {collective, nodes, 2, bytes});
}

TEST(Cliff, there_is_none_where_bytes_are_doubled) {
  for (const char* collective : {"broadcast", "sum", "fcollect", "collect"})
    for (const int nodes : {3, 16, 41})
      for (size_t bytes = 64; bytes < (size_t{64} << 10); bytes *= 4)
        expect_at_most(twice_the_bytes, {collective, nodes, 2, 2 * bytes}, {collective, nodes, 2, bytes});
}

// Once 6 times: around the nodes instead of down a tree.
TEST(Cliff, a_broadcast_of_256_kib_takes_little_longer_than_of_128) {
  for (const int nodes : {16, 41})
    expect_at_most(twice_the_bytes, {"broadcast", nodes, 2, size_t{256} << 10},
                   {"broadcast", nodes, 2, size_t{128} << 10});
}

// Once 3 times as long as twice the bytes may take: 32 exchanges of leaders.
TEST(Cliff, an_alltoall_of_256_bytes_on_large_nodes_takes_little_longer_than_of_128) {
  expect_at_most(twice_the_bytes, {"alltoall", 32, 16, 256}, {"alltoall", 32, 16, 128});
}

// Once 18 times as long: more than 64 KiB in all.
TEST(Cliff, an_fcollect_of_8320_pes_takes_little_longer_than_of_8192) {
  expect_at_most(one_more, {"fcollect", 130, 64, 8}, {"fcollect", 128, 64, 8});
}

// Once 4 times: more than a record of 8 KiB in a round.
TEST(Cliff, an_alltoall_on_132_nodes_takes_little_longer_than_on_128) {
  expect_at_most(one_more, {"alltoall", 132, 4, 8}, {"alltoall", 128, 4, 8});
}

// The counts of more PEs do not fit in an area.
TEST(Cliff, a_collect_of_4160_pes_takes_little_longer_than_of_4096) {
  expect_at_most(one_more, {"collect", 65, 64, 8}, {"collect", 64, 64, 8});
}

}  // namespace
}  // namespace atrium::sim
