// The simulated network: cards, wires, and an engine of each endpoint.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <vector>

#include "engine/engine.hpp"
#include "sim/world.hpp"

namespace atrium::sim {

class SimulatedEngine;

class SimulatedNetwork {
 public:
  explicit SimulatedNetwork(World& world);
  // Of this PE, whose number is its name.
  std::unique_ptr<Engine> open(Pe& pe);

 private:
  friend class SimulatedEngine;
  struct Card {
    Time sends_until = 0, receives_until = 0;
  };

  struct Links {
    Time up_until = 0, down_until = 0;
  };

  // Lets it happen when the head, which would be there at `head` without a tree, has come through the switches.
  void travel(int from, int to, size_t bytes, Time head, Clock::Act arrive);
  // When the head may go on; from then on the link is busy.
  Time pass(Time& busy_until, size_t bytes);
  Links& links_of(int node) { return links_[static_cast<size_t>(node / world_.costs().nodes_of_switch)]; }
  // When the head leaves; from then on the card is busy.
  Time inject(int node, size_t bytes, Time ready);
  // When all of it is there; its head is there now.
  Time land(int node, size_t bytes);
  Card& card(int node) { return cards_[static_cast<size_t>(node)]; }

  World& world_;
  std::vector<Card> cards_;
  std::vector<Links> links_;               // by switch
  std::vector<SimulatedEngine*> engines_;  // by PE
};

}  // namespace atrium::sim
