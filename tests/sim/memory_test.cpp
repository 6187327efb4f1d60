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

// Of the simulator itself: a PE's deltas, and of one with an endpoint when its messages to each other PE arrive, and its partners.
size_t simulators_own(size_t pes, int places) {
  const size_t with_endpoint = pes * sizeof(Time) + pes / 8;
  return pes * sizeof(ptrdiff_t) + with_endpoint * std::min<size_t>(endpoints, places) / places;
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
    const size_t own = simulators_own(static_cast<size_t>(shape.pes()), places) * static_cast<size_t>(places);
    return std::to_string((allocated() - before) / static_cast<size_t>(nodes) - own);
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

}  // namespace
}  // namespace atrium::sim
