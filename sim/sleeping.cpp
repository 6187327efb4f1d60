// The kernel's part in waits: everything that sleeps does so on a word in its own part of the node's memory.
// SPDX-License-Identifier: BSD-3-Clause
#include "sim/sleeping.hpp"

#include "os/futex.hpp"
#include "sim/world.hpp"

namespace atrium::sim {
namespace {

// For ever, whatever the timeout (world.hpp says why).
void sleep(std::atomic<uint32_t>& word, uint32_t expected, int64_t) {
  if (word.load(std::memory_order_relaxed) == expected) World::here().rest();
}

void wake_all(std::atomic<uint32_t>& word) {
  World& world = World::here();
  Pe& pe = world.current();
  if (Pe* const sleeper = world.owner_of(&word); sleeper && sleeper != &pe)
    world.wake(*sleeper, pe.clock + world.costs().store() + world.random_delay(pe.random));
}

constexpr Sleeping by_the_clock{sleep, wake_all};

}  // namespace

void sleep_by_the_clock() { set_sleeping(&by_the_clock); }

}  // namespace atrium::sim
