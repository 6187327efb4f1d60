// Simulated collectives, one measured beside another.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "sim/measure.hpp"

namespace atrium::sim {

struct Point {
  const char* collective;
  int nodes, places;
  size_t bytes;
  Costs costs{};

  std::string name() const {
    return std::string(collective) + " of " + std::to_string(bytes) + " bytes on " + std::to_string(nodes) +
           " x " + std::to_string(places) + " PEs";
  }
};

// Each in a process of its own.
inline Figures measured(const Point& point) {
  auto figures =
      measure_on(blocks_of(point.nodes, point.places, 4), point.costs, {point.collective, point.bytes, 2});
  EXPECT_TRUE(figures) << point.name();
  return figures ? *figures : Figures{};
}

inline void expect_at_most(double times, const Point& more, const Point& less) {
  const double large = measured(more).microseconds, small = measured(less).microseconds;
  EXPECT_LE(large, times * small) << more.name() << ": " << large << " us, " << less.name() << ": " << small
                                  << " us";
}

}  // namespace atrium::sim
