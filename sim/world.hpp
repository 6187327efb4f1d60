// The world of a simulation: nodes and PEs, who runs, and what time it is.
// SPDX-License-Identifier: BSD-3-Clause
//
// Words.      *World*: one simulated job. *Current*: the PE whose fiber runs, and whose variables the library works on.
//             *Disturbances*: random delays, refusals and orders, drawn from a seed.
// Invariants. One fiber runs at a time, the one whose clock is least, until it sleeps or its clock passes the next event.
//             The same shape, costs, disturbances and program give the same history.
// Sleeping.   A sleeper is woken by a store or by the network, never by a clock: a wake-up that the library loses is a
//             standstill here, which is reported, while a real job would only be slow.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sim/clock.hpp"
#include "sim/costs.hpp"
#include "sim/pe.hpp"
#include "sim/random.hpp"
#include "sim/schedule.hpp"

namespace atrium::sim {

struct Disturbances {
  uint64_t seed = 0;      // 0: fair, nothing is random
  Time most_delay = 0;    // of a message on the wire, of a PE before it goes on
  double delays = 0;      // chance that there is one
  double refusal = 0;     // chance that the card takes nothing now
  double corruption = 0;  // chance that a write or read changes a byte on its way: checks must find out
  bool sends_after_writes = true;  // EngineTraits; else writes and messages overtake each other
};

struct JobShape {
  std::vector<int> nodes;    // the node of each PE
  int endpoints = 4;         // of a node, at most
  int domains = 1;           // groups of cores that share a cache, of a node
  bool shares_cpus = false;  // the rules are those for more PEs than CPUs
  size_t heap_bytes = size_t{1} << 20;
  int pes() const { return static_cast<int>(nodes.size()); }
};

// Lives as long as the process: there is one.
class World {
 public:
  World(const JobShape& shape, const Costs& costs, const Disturbances& disturbances);
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  static World& here() { return *world_; }
  Pe& current() { return *current_; }
  bool is_running() const { return current_ != nullptr; }

  // Every PE runs this until all have returned; the answer is how long that took. An error that names the waiting PEs when
  // none can go on.
  Result<Time> run(const std::function<void(Pe&)>& program);

  const JobShape& shape() const { return shape_; }
  const Costs& costs() const { return costs_; }
  const Disturbances& disturbances() const { return disturbances_; }
  Clock& clock() { return clock_; }
  Random& random() { return random_; }
  // Kept from now on; null where none is wanted.
  void keep_schedule() { schedule_ = std::make_unique<Schedule>(shape_.pes()); }
  Schedule* schedule() { return schedule_.get(); }
  std::vector<std::unique_ptr<Pe>>& pes() { return pes_; }
  Pe& pe(int number) { return *pes_[static_cast<size_t>(number)]; }
  int nodes() const { return static_cast<int>(pes_of_.size()); }
  const std::vector<int>& pes_of(int node) const { return pes_of_[static_cast<size_t>(node)]; }
  char* segment(int node) const { return segments_ + static_cast<size_t>(node) * most_places_ * part_bytes_; }
  size_t part_bytes() const { return part_bytes_; }

  // Of the current PE.
  void spend(Time time);  // its CPU works so long
  // The same, and others have their turn when it spends or sleeps next.
  void advance(Time time) { current_->clock += time; }
  void compute(Time time);  // the same, while its progress thread serves the network
  void rest();              // serves the network, and sleeps when there is nothing to serve
  // From outside or by another PE: wakes the sleeper.
  void wake(Pe& pe, Time when);
  // The PE that has this memory.
  Pe* owner_of(const void* address);
  Time random_delay(Random& random) const;

 private:
  void map_segments();
  void live(Pe& pe);
  void let_run(Pe& pe);
  void resume_at(Pe& pe, Time when);
  void sleep_until(Time when);
  void serve_and_sleep(Time until);
  Error standstill() const;

  static World* world_;
  JobShape shape_;
  Costs costs_;
  Disturbances disturbances_;
  Clock clock_;
  Random random_;
  std::vector<std::vector<int>> pes_of_;
  char* segments_ = nullptr;  // of equal size
  size_t part_bytes_ = 0, most_places_ = 0;
  std::unique_ptr<Stacks> stacks_;
  std::unique_ptr<Schedule> schedule_;
  const std::function<void(Pe&)>* program_ = nullptr;
  std::vector<std::unique_ptr<Pe>> pes_;
  Pe* current_ = nullptr;
  int unfinished_ = 0;
};

}  // namespace atrium::sim
