// What the sheet says, put together for people.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "profile/report/places.hpp"
#include "profile/sheet/sheet.hpp"

namespace atrium::profile {

struct Sum {
  uint64_t calls = 0, bytes = 0;
  double seconds = 0, waiting = 0, longest = 0;

  void add(const Sum& other);
};

struct RoutineRow {
  std::string routine;
  Sum sum;
};

// Of one line and routine; over all PEs, and the PEs with the least and the most time.
struct LineRow {
  Place place;
  std::string routine;
  Sum sum;
  std::vector<double> seconds_of;  // each PE
};

// A PE that came last to a collective.
struct LateRow {
  Place place;
  std::string routine;
  int pe = -1;
  uint64_t times = 0;
  uint64_t collectives = 0;  // how often all came together there
  double waited = 0;         // by all others
};

struct MemoryRow {
  Place place;
  std::string routine;
  uint64_t most = 0, largest = 0, left = 0;  // bytes of the PE that had most; at the end
};

struct RegionRow {
  std::string name;
  uint64_t times = 0, calls = 0, bytes = 0;
  double seconds = 0, waiting = 0, shortest = 0, longest = 0;  // the PEs' sums
};

struct PeRow {
  bool seen = false, finished = false;
  double seconds = 0, inside = 0, waiting = 0, cost_ns = 0;
  uint64_t calls = 0, heap_most = 0, events = 0, lost = 0, unmatched = 0;
  std::string doing;                              // of a PE that has not finished: the call it was in
  std::vector<std::pair<double, uint64_t>> heap;  // seconds since the job's beginning, bytes
};

struct Traffic {
  uint64_t puts = 0, put_bytes = 0, gets = 0, got_bytes = 0;
};

struct Profile {
  std::string program;
  double seconds = 0;  // of the job: from the first init to the last record
  std::vector<PeRow> pes;
  std::vector<RoutineRow> routines;  // most time first, as all others
  std::vector<LineRow> lines;
  std::vector<LateRow> late;
  std::vector<MemoryRow> memory;
  std::vector<RegionRow> regions;
  std::vector<std::vector<Traffic>> traffic;  // from, to
  bool lines_unknown = false;

  int seen() const;
  Sum total() const;
  double time_of_pes() const;  // the sum of their times
  double own_cost() const;     // seconds, of all PEs
};

Profile read_profile(const Sheet& sheet, const std::string& program, const Scale& scale, Places& places);

}  // namespace atrium::profile
