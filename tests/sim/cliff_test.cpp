// No collective jumps in time from n nodes to n + 1, nor where bytes are doubled: searched over a grid.
// SPDX-License-Identifier: BSD-3-Clause
#include "points.hpp"

namespace atrium::sim {
namespace {

constexpr double one_more = 2, twice_the_bytes = 2.2;

// Where an algorithm ends: at powers of two, and where the rooms of leaders are full.
TEST(Cliff, there_is_none_between_a_number_of_nodes_and_one_more) {
  Comparisons times;
  for (const char* collective :
       {"barrier", "broadcast", "sum", "scan", "exscan", "fcollect", "collect", "collect_uneven", "alltoall"})
    for (const int nodes : {2, 3, 4, 7, 8, 12, 16, 32, 40})
      for (const size_t bytes : {size_t{8}, size_t{256}})
        times.at_most(one_more, {collective, nodes + 1, 2, bytes}, {collective, nodes, 2, bytes});
}

void expect_none_where_bytes_are_doubled(Comparisons& times, const char* collective, size_t most_bytes) {
  for (const int nodes : {2, 3, 9, 16, 20, 41})
    for (size_t bytes = 8; bytes < most_bytes; bytes *= 2)
      times.at_most(twice_the_bytes, {collective, nodes, 2, 2 * bytes}, {collective, nodes, 2, bytes});
}
TEST(Cliff, there_is_none_where_bytes_are_doubled) {
  Comparisons times;
  for (const char* collective : {"broadcast", "sum"})
    expect_none_where_bytes_are_doubled(times, collective, size_t{512} << 10);
}
TEST(Cliff, there_is_none_where_blocks_that_all_gather_are_doubled) {
  Comparisons times;
  for (const char* collective : {"fcollect", "collect"})
    expect_none_where_bytes_are_doubled(times, collective, size_t{64} << 10);
}

TEST(Cliff, there_is_none_where_the_operands_of_a_scan_are_doubled) {
  Comparisons times;
  for (const Costs& costs : {Costs{}, tcp_costs()})
    for (const auto& [nodes, places] : {std::pair{3, 4}, {16, 1}, {8, 4}, {16, 4}, {41, 1}})
      for (size_t bytes = 1024; bytes < (size_t{64} << 10); bytes *= 2)
        times.at_most(twice_the_bytes, {"scan", nodes, places, 2 * bytes, costs},
                      {"scan", nodes, places, bytes, costs});
}

// Once 3.8 times: where blocks no longer fit in few parts of an area, each went directly to each node.
TEST(Cliff, there_is_none_where_blocks_that_all_gather_over_tcp_are_doubled) {
  Comparisons times;
  for (const char* collective : {"collect", "collect_uneven"})
    for (const auto& [nodes, places] : {std::pair{13, 2}, {15, 4}, {17, 8}})
      for (size_t bytes = 64; bytes < (size_t{8} << 10); bytes *= 2)
        times.at_most(twice_the_bytes, {collective, nodes, places, 2 * bytes, tcp_costs()},
                      {collective, nodes, places, bytes, tcp_costs()});
}

// One node has a PE more than the others. Once 3.6 times: then no PE could transpose.
TEST(Cliff, there_is_none_between_an_alltoall_on_equal_nodes_and_one_of_a_pe_more) {
  Comparisons times;
  for (const auto& [nodes, places] : {std::pair{5, 8}, {13, 8}, {16, 4}})
    for (const size_t bytes : {size_t{8}, size_t{512}, size_t{1024}})
      for (const Costs& costs : {Costs{}, tcp_costs()})
        times.at_most(one_more, {"alltoall", nodes, places, bytes, costs, 1},
                      {"alltoall", nodes, places, bytes, costs});
}

// Once 3.8 times: leaders could have exchanged them in two parts, but three of a record each were to be fewer messages.
TEST(Cliff, an_alltoall_of_two_parts_does_not_go_directly_for_fewer_messages) {
  for (const int nodes : {6, 8})
    expect_at_most(twice_the_bytes, {"alltoall", nodes, 2, 2048, tcp_costs(), 1},
                   {"alltoall", nodes, 2, 1024, tcp_costs(), 1});
}

TEST(Cliff, there_is_none_where_blocks_of_an_alltoall_are_doubled) {
  Comparisons times;
  for (const int nodes : {2, 4, 9, 12, 16})
    for (const int places : {2, 4})
      for (size_t bytes = 8; bytes < (size_t{8} << 10); bytes *= 2)
        times.at_most(twice_the_bytes, {"alltoall", nodes, places, 2 * bytes},
                      {"alltoall", nodes, places, bytes});
}

// A kernel's TCP over a wire: sending takes longer than waiting. Once 3.9 times: where Bruck ended, and where each PE put.
TEST(Cliff, there_is_none_where_blocks_of_an_alltoall_over_tcp_are_doubled) {
  Comparisons times;
  Costs tcp;
  tcp.o = 4000, tcp.L = 7000, tcp.g = 0, tcp.tcp = 1;
  for (const auto& [nodes, places] : {std::pair{5, 4}, {8, 2}, {9, 4}, {16, 4}, {20, 2}, {41, 1}, {41, 4}})
    for (size_t bytes = 8; bytes < (size_t{4} << 10); bytes *= 2)
      times.at_most(twice_the_bytes, {"alltoall", nodes, places, 2 * bytes, tcp},
                    {"alltoall", nodes, places, bytes, tcp});
}

// What sim/cliffs.py searches. Once 3.5 times on 12 nodes of 8 PEs where one has a PE more: slices of members differed by a third, so
// that some were more than a message, and all leaders did as many exchanges as the largest node needed.
TEST(Cliff, there_is_none_around_alltoalls_over_tcp) {
  Comparisons times;
  const Costs tcp = tcp_costs();
  for (const auto& [nodes, places] :
       {std::pair{2, 2}, {3, 3}, {4, 4}, {5, 3}, {6, 4}, {8, 2}, {12, 4}, {12, 8}, {16, 2}}) {
    for (size_t bytes = 8; bytes <= (size_t{8} << 10); bytes *= 2) {
      const Point here{"alltoall", nodes, places, bytes, tcp},
          larger{"alltoall", nodes, places, bytes, tcp, 1};
      times.at_most(one_more, {"alltoall", nodes + 1, places, bytes, tcp}, here);
      times.at_most(one_more, larger, here);
      if (bytes <= 512)  // of more, bytes count, which grow from 2 PEs to 3 as 4 to 9
        times.at_most(one_more, {"alltoall", nodes, places + 1, bytes, tcp}, here);
      if (bytes == 8) continue;
      for (const Point& point : {here, larger}) {
        Point half = point;
        half.bytes /= 2;
        times.at_most(twice_the_bytes, point, half);
      }
    }
  }
}

// Bruck's algorithm goes on in parts where blocks no longer fit in an area. Once 2.3 times: all rounds were taken for as long as the one
// with the longest message.
TEST(Cliff, there_is_none_where_blocks_of_an_alltoall_of_many_nodes_over_tcp_go_in_parts) {
  Comparisons times;
  const Costs tcp = tcp_costs();
  for (const auto& [nodes, places, bytes] : {std::tuple{64, 2, size_t{128}}, {66, 1, 512}})
    times.at_most(twice_the_bytes, {"alltoall", nodes, places, 2 * bytes, tcp},
                  {"alltoall", nodes, places, bytes, tcp});
}

// Once 3.2 times: messages of Bruck's algorithm were taken for four times as long where one node of many has a second PE.
TEST(Cliff, there_is_none_between_an_alltoall_of_many_nodes_of_one_pe_and_one_of_a_pe_more) {
  Comparisons times;
  for (const int nodes : {40, 48})
    for (const size_t bytes : {size_t{256}, size_t{512}})
      times.at_most(one_more, {"alltoall", nodes, 1, bytes, tcp_costs(), 1},
                    {"alltoall", nodes, 1, bytes, tcp_costs()});
}

// Once 3 times as long as twice the bytes may take: 32 exchanges of leaders.
TEST(Cliff, an_alltoall_of_256_bytes_on_large_nodes_takes_little_longer_than_of_128) {
  expect_at_most(twice_the_bytes, {"alltoall", 32, 16, 256}, {"alltoall", 32, 16, 128});
}

// Once eight times as long: leaders packed 8,192 blocks in each of 16 exchanges, which takes longer than messages as cheap as these.
TEST(Cliff, an_alltoall_of_128_bytes_on_large_nodes_takes_no_longer_than_of_256) {
  Costs fast;
  fast.o = 150, fast.L = 700, fast.g = 3, fast.G = 0.02, fast.copy = 0.08;
  expect_at_most(1, {"alltoall", 32, 16, 128, fast}, {"alltoall", 32, 16, 256, fast});
}

// Once 18 times as long: more than 64 KiB in all.
TEST(Cliff, an_fcollect_of_8320_pes_takes_little_longer_than_of_8192) {
  expect_at_most(one_more, {"fcollect", 130, 64, 8}, {"fcollect", 128, 64, 8});
}

// Whole blocks that lie in order are copied at once: one by one they took longer than much larger ones, which leaders gather in dests.
TEST(Cliff, an_fcollect_of_8_bytes_takes_no_longer_than_of_128) {
  Costs slow;
  slow.block = 200;
  expect_at_most(1, {"fcollect", 32, 32, 8, slow}, {"fcollect", 32, 32, 128, slow});
}

// Once 4 times: more than a record of 8 KiB in a round.
TEST(Cliff, an_alltoall_on_132_nodes_takes_little_longer_than_on_128) {
  expect_at_most(one_more, {"alltoall", 132, 4, 8}, {"alltoall", 128, 4, 8});
}

// Of more PEs a count and a word do not fit in an area: the counts go alone, and the blocks straight into dests.
TEST(Cliff, a_collect_of_4160_pes_takes_little_longer_than_of_4096) {
  expect_at_most(one_more, {"collect", 65, 64, 8}, {"collect", 64, 64, 8});
}

}  // namespace
}  // namespace atrium::sim
