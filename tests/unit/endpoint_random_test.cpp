// Random programs run over endpoints of several nodes, and leave the memory that a model predicts.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "endpoint_world.hpp"
#include "network/endpoint.hpp"

namespace atrium {
namespace {

// Random programs against a model: each PE has a part of each node's memory to itself, and shares counters.
void random_program(uint64_t seed) {
  std::mt19937_64 random(seed);
  const int nodes = 2 + static_cast<int>(random() % 3);
  World world(conditions_of(seed), nodes);
  constexpr uint64_t part = 16000;
  struct Pe {
    Pending pending[2] = {};
    std::vector<std::vector<char>> model;
    std::vector<std::unique_ptr<std::vector<char>>> sources;
  };
  std::vector<Pe> pes(static_cast<size_t>(nodes));
  for (Pe& pe : pes) pe.model.assign(static_cast<size_t>(nodes), std::vector<char>(part, 0));
  std::vector<uint64_t> added(static_cast<size_t>(nodes), 0);
  for (int step = 0; step < 150; ++step) {
    const int me = static_cast<int>(random() % static_cast<uint64_t>(nodes));
    int node = static_cast<int>(random() % static_cast<uint64_t>(nodes - 1));
    node += node >= me;
    Pe& pe = pes[static_cast<size_t>(me)];
    auto& model = pe.model[static_cast<size_t>(node)];
    Pending* pending = &pe.pending[random() % 2];
    Endpoint& endpoint = world.at(me);
    const uint64_t start = static_cast<uint64_t>(me) * part;
    const size_t bytes = std::min<size_t>(part, 1 + (random() % 4 == 0 ? random() % part : random() % 64));
    const uint64_t at = random() % (part - bytes + 1);
    switch (random() % 8) {
      case 0:
      case 1:
      case 2: {  // nothing orders overlapping puts but a fence
        endpoint.fence();
        pe.sources.push_back(std::make_unique<std::vector<char>>(pattern(bytes, random())));
        auto& source = *pe.sources.back();
        std::copy(source.begin(), source.end(), model.begin() + static_cast<ptrdiff_t>(at));
        const bool later = random() % 2 == 0;
        endpoint.put(pending, world.place(node, start + at), source.data(), bytes, later);
        if (!later) std::fill(source.begin(), source.end(), 'z');
        break;
      }
      case 3: {
        std::vector<char> got(bytes);
        endpoint.get(nullptr, got.data(), world.place(node, start + at), bytes);
        ASSERT_TRUE(std::equal(got.begin(), got.end(), model.begin() + static_cast<ptrdiff_t>(at)))
            << "a PE reads what it has written, seed " << seed;
        break;
      }
      case 4:
        endpoint.change(pending, world.place(node, 0, 1), {WordOp::add, 8, step + 1u});
        added[static_cast<size_t>(node)] += static_cast<uint64_t>(step) + 1;
        break;
      case 5:
        endpoint.fetch_change(world.place(node, 0, 1), {WordOp::fetch, 8});
        break;
      case 6: {
        endpoint.quiet(pending);
        ASSERT_EQ(*pending, 0u);
        break;
      }
      default: {
        endpoint.quiet_nodes(pending, &node, 1);
        ASSERT_EQ(std::memcmp(world.memory(node, start), model.data(), part), 0)
            << "after quiet, seed " << seed;
      }
    }
    ASSERT_TRUE(world.failures.empty()) << world.failures[0] << " seed " << seed;
  }
  for (int me = 0; me < nodes; ++me) {
    for (Pending& pending : pes[static_cast<size_t>(me)].pending) world.at(me).quiet(&pending);
  }
  for (int node = 0; node < nodes; ++node) {
    EXPECT_EQ(world.word(node, 0, 1), added[static_cast<size_t>(node)]) << "seed " << seed;
    for (int me = 0; me < nodes; ++me) {
      if (me == node) continue;
      EXPECT_EQ(std::memcmp(world.memory(node, static_cast<uint64_t>(me) * part),
                            pes[static_cast<size_t>(me)].model[static_cast<size_t>(node)].data(), part),
                0)
          << "seed " << seed;
    }
  }
}

TEST(Endpoint, random_programs_leave_the_memory_of_their_model) {
  const char* first = std::getenv("TEST_SEED");
  const char* rounds = std::getenv("TEST_ROUNDS");
  const uint64_t start = first ? std::strtoull(first, nullptr, 10) : 1;
  const uint64_t count = 1500 * (rounds ? std::strtoull(rounds, nullptr, 10) : 1);
  for (uint64_t seed = start; seed < start + (first ? 1 : count) && !testing::Test::HasFatalFailure(); ++seed)
    random_program(seed);
}

}  // namespace
}  // namespace atrium
