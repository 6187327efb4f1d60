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

  // When the head leaves; from then on the card is busy.
  Time inject(int node, size_t bytes, Time ready);
  // When all of it is there; its head is there now.
  Time land(int node, size_t bytes);
  Card& card(int node) { return cards_[static_cast<size_t>(node)]; }

  World& world_;
  std::vector<Card> cards_;
  std::vector<SimulatedEngine*> engines_;  // by PE
};

}  // namespace atrium::sim
