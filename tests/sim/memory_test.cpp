// What a PE's private memory is a function of: everything that the library has allocated when all collectives have run.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>
#include <malloc.h>

#include <algorithm>
#include <string>

#include "core/log.hpp"
#include "sim/measure.hpp"
#include "sim/own_process.hpp"

namespace atrium::sim {
namespace {

constexpr int endpoints = 1;

size_t allocated() {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

// Of all PEs of a node.
size_t private_memory(int nodes, int places) {
  auto answer = in_own_process("a job", [&] {
    JobShape shape = blocks_of(nodes, places, endpoints);
    shape.heap_bytes = heap_for({"alltoall"}, shape.pes());
    const size_t before = allocated();
    World& world = *new World(shape, Costs{}, Disturbances{});
    for (const auto& collective : collectives_to_measure())
      if (auto figures = measure(world, {collective, 8, 2}); !figures) fatal(figures.error());
    return std::to_string((allocated() - before) / static_cast<size_t>(nodes));
  });
  EXPECT_TRUE(answer);
  return answer ? std::stoul(*answer) : 0;
}

// Most of it are messages that wait for answers, 8.5 KiB each, and there are as many partners as the nodes have bits.
TEST(Law, a_pe_has_at_most_a_kib_of_private_memory_for_each_node_beside_its_messages) {
  for (const int nodes : {8, 64, 192})
    EXPECT_LE(private_memory(nodes, 1), (size_t{3} << 19) + 1024 * static_cast<size_t>(nodes))
        << nodes << " nodes";
}

// Of a PE of a job that has done nothing yet, on nodes of 64.
size_t memory_at_start(int nodes) {
  auto answer = in_own_process("a job", [&] {
    const JobShape shape = blocks_of(nodes, 64, endpoints);
    const size_t before = allocated();
    new World(shape, Costs{}, Disturbances{});
    return std::to_string((allocated() - before) / static_cast<size_t>(shape.pes()));
  });
  EXPECT_TRUE(answer);
  return answer ? std::stoul(*answer) : 0;
}

// A word for each PE would be 512 bytes for each node. The simulator once had a delta for each, 34 GB in a job of 65,536 PEs.
TEST(Law, a_pe_takes_a_few_words_for_each_other_node_and_none_for_its_pes) {
  EXPECT_LE(memory_at_start(64), memory_at_start(8) + size_t{64} * (64 - 8));
}

}  // namespace
}  // namespace atrium::sim
