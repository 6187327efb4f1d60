// What happened when: the pages' events, as the writers of time lines are told of them.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <vector>

#include "interpose/site.hpp"
#include "profile/report/places.hpp"
#include "profile/trace/flows.hpp"

namespace atrium::profile {

// A call, or a region that the program names.
struct Happening {
  const Event* event;
  int pe;
  EventKind kind;
  uint64_t begin, end;  // ticks
  const char* name;     // the routine's or the region's
  interpose::Routine routine = interpose::Routine::unknown;
  const Place* place = nullptr;  // null: of a region
  int other = -1;                // the PE that is written, read, or whose value is changed; -1: none
  uint64_t bytes = 0;            // that it moves

  bool is_region() const { return kind == EventKind::region; }
};

class TimeLine {
 public:
  TimeLine(const Sheet& sheet, const Scale& scale, Places& places)
      : sheet_(sheet), scale_(scale), places_(places) {}

  const Sheet& sheet() const { return sheet_; }
  int pes() const { return sheet_.pes(); }
  // Since the job's beginning.
  uint64_t ns(uint64_t ticks) const;

  // What is still there of a PE, in the order in which it ended.
  std::vector<const Event*> events_of(int pe) const;
  // The same by threads, in the order in which it began, outer before inner. What began inside another ends there at the
  // latest: clocks of two CPUs may differ by some ticks.
  std::map<uint32_t, std::vector<Happening>> threads_of(int pe) const;
  Happening read(int pe, const Event& event) const;

 private:
  const Sheet& sheet_;
  const Scale& scale_;
  Places& places_;
};

}  // namespace atrium::profile
