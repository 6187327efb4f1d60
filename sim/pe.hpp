// A simulated PE: its fiber, its clock, and what the library keeps of it.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <unordered_set>

#include "network/endpoint.hpp"
#include "network/ring_client.hpp"
#include "network/transport.hpp"
#include "sim/clock.hpp"
#include "sim/fiber.hpp"
#include "sim/random.hpp"
#include "sim/variables.hpp"

namespace atrium::sim {

// What a PE's endpoint has sent since the last look.
struct Sent {
  uint64_t messages = 0, transfers = 0, bytes = 0;  // transfers: writes and reads of the engine
  uint64_t bare = 0;                                // of the messages: those that only acknowledge
};

struct Pe {
  Pe(int number, int node, int place, uint64_t seed)
      : number(number), node(node), place(place), random(seed) {}

  const int number, node, place;
  Random random;  // of its own delays
  Variables variables;
  std::unique_ptr<Fiber> fiber;

  Time clock = 0;     // not behind the world's while it runs; behind it while it sleeps
  Time finished = 0;  // its last program
  bool asleep = false, done = true;
  Time wakes_at = never;    // of a sleeper; of others: somebody wanted to wake it then
  Time retries_at = never;  // its card has refused something, and no event will say when it has room again
  uint64_t turn =
      0;  // how often it was resumed: distinguishes its next resumption from earlier ones, which are out of date
  const char* at = "";  // what it does, for messages

  NodeMemory memory;
  std::optional<NodeMap> map;
  RingBlock* block = nullptr;
  std::unique_ptr<Endpoint> endpoint;  // either this
  std::unique_ptr<RingClient> client;  // ... or that, in a job on several nodes
  std::unique_ptr<AwayTransport> transport;
  Sent sent;
  std::unordered_set<uint64_t> partners;  // numbers of PEs to which its endpoint has sent
};

}  // namespace atrium::sim
