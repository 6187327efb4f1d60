// What happened when: hands the pages' events to the writers of time lines.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <string>
#include <vector>

#include "interpose/site.hpp"
#include "profile/buffer/record_buffer.hpp"
#include "profile/report/places.hpp"

namespace atrium::profile {

// Events that the page of a PE still holds, and how many it has lost.
struct Kept {
  const Event* ring;
  uint64_t room, first, end;

  const Event& at(uint64_t number) const { return ring[number % room]; }
  uint64_t count() const { return end - first; }
};
Kept kept_events(const RecordBuffer& buffer, int pe);

// A call, or a region that the program names.
struct Happening {
  const Event* event;
  int pe;
  EventKind kind;
  uint64_t begin, end;  // ticks
  const char* name;     // the routine's or the region's
  interpose::Routine routine = interpose::Routine::unknown;
  const SourcePlace* place = nullptr;  // null: of a region
  int other = -1;                      // the PE that is written, read, or whose value is changed; -1: none
  uint64_t bytes = 0;                  // that it moves
  bool unfinished = false;             // its PE ended in it

  bool is_region() const { return kind == EventKind::region; }
};

class TimeLine {
 public:
  TimeLine(const RecordBuffer& buffer, const Scale& scale, Places& places);

  const RecordBuffer& buffer() const { return buffer_; }
  int pes() const { return buffer_.pes(); }
  // Since the job's beginning.
  uint64_t ns(uint64_t ticks) const;

  // What is still there of a PE, in the order in which it ended. The last are those in which the PE ended itself.
  std::vector<const Event*> events_of(int pe) const;
  // How a PE ended that did not come to shmem_finalize, "PE 1 was ended by signal 9 (Killed)"; empty: it came there.
  std::string ending_of(int pe) const;
  // The same by threads, in the order in which it began, outer before inner. What began inside another ends there at the
  // latest: clocks of two CPUs may differ by some ticks.
  std::map<uint32_t, std::vector<Happening>> threads_of(int pe) const;
  Happening read(int pe, const Event& event) const;

 private:
  const RecordBuffer& buffer_;
  const Scale& scale_;
  Places& places_;
  std::vector<std::vector<Event>> unfinished_;  // of each PE
};

}  // namespace atrium::profile
