// Simulated collectives, one measured beside another.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "sim/costs.hpp"
#include "sim/measure.hpp"

namespace atrium::sim {

struct Point {
  const char* collective;
  int nodes, places;
  size_t bytes;
  Costs costs{};
  int larger = 0;  // nodes that have one PE more

  std::string name() const {
    return std::string(collective) + " of " + std::to_string(bytes) + " bytes on " + std::to_string(nodes) +
           " x " + std::to_string(places) + " PEs" +
           (larger > 0 ? " and one more on " + std::to_string(larger) : "");
  }
};

// The kernel's TCP, as sim/costs/tcp.cost has it.
inline Costs tcp_costs() {
  static auto tcp = read_costs(SIM_COSTS "/tcp.cost");
  EXPECT_TRUE(tcp) << tcp.error().because;
  return *tcp;
}

// Each in a process of its own.
inline Figures measured(const Point& point) {
  auto figures = measure_on(blocks_of(point.nodes, point.places, 4, point.larger), point.costs,
                            {point.collective, point.bytes, 2});
  EXPECT_TRUE(figures) << point.name();
  return figures ? *figures : Figures{};
}

// What is expected of times beside each other. All points of one machine are measured in one world, each once. But each broadcast in
// one of its own: it waits for nobody, so its time depends on what has been sent before it.
class Comparisons {
 public:
  // Those of `less` so many times, at most.
  void at_most(double times, const Point& more, const Point& less) {
    all_.push_back({times, more, less});
    for (const Point* point : {&more, &less}) microseconds(*point) = 0;
  }
  ~Comparisons() {
    for (auto& [machine, points] : machines_) measure_on(machine, points);
    for (const auto& [times, more, less] : all_) {
      const double large = microseconds(more), small = microseconds(less);
      EXPECT_LE(large, times * small)
          << more.name() << ": " << large << " us, " << less.name() << ": " << small << " us";
    }
  }

 private:
  using Machine = std::tuple<int, int, int, Costs, size_t>;        // the last one: of a broadcast alone
  using Times = std::map<std::pair<std::string, size_t>, double>;  // us, by collective and bytes
  struct Comparison {
    double times;
    Point more, less;
  };

  double& microseconds(const Point& point) {
    const size_t alone = std::string(point.collective) == "broadcast" ? point.bytes : 0;
    return machines_[{point.nodes, point.places, point.larger, point.costs, alone}]
                    [{point.collective, point.bytes}];
  }
  static void measure_on(const Machine& machine, Times& times) {
    const auto& [nodes, places, larger, costs, alone] = machine;
    std::vector<MeasureRequest> wanted;
    for (const auto& [point, time] : times) wanted.push_back({point.first, point.second, 2});
    auto figures = measure_all_on(blocks_of(nodes, places, 4, larger), costs, wanted);
    ASSERT_TRUE(figures) << figures.error().what << ": " << figures.error().because;
    size_t i = 0;
    for (auto& [point, time] : times) time = (*figures)[i++].microseconds;
  }

  std::vector<Comparison> all_;
  std::map<Machine, Times> machines_;
};

inline void expect_at_most(double times, const Point& more, const Point& less) {
  Comparisons().at_most(times, more, less);
}

}  // namespace atrium::sim
