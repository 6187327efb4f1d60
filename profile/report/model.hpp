// The figures of a profile: what all pages of the record buffer say together.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "profile/buffer/record_buffer.hpp"
#include "profile/report/places.hpp"

namespace atrium::profile {

struct CallSum {
  uint64_t calls = 0, bytes = 0;
  double seconds = 0, waiting = 0, longest = 0;

  void add(const CallSum& other);
};

struct RoutineRow {
  std::string routine;
  CallSum sum;
};

// Of one line and routine; over all PEs, and the PEs with the least and the most time.
struct LineRow {
  SourcePlace place;
  std::string routine;
  CallSum sum;
  std::vector<double> seconds_of;  // each PE
};

// A PE that came last to a collective.
struct LateRow {
  SourcePlace place;
  std::string routine;
  int pe = -1;
  uint64_t times = 0;
  uint64_t collectives = 0;  // how often all came together there
  double waited = 0;         // by all others
};

// Waits that a store of another PE has ended: each is known only where there is a trace.
struct EndedWaitRow {
  int waiter = -1;
  std::string waited_at;  // line and routine
  int by = -1;
  std::string stored_at;
  uint64_t times = 0;
  double seconds = 0;
};

struct MemoryRow {
  SourcePlace place;
  std::string routine;
  uint64_t most = 0, largest = 0, left = 0;  // bytes of the PE that had most; at the end
};

struct RegionRow {
  std::string name;
  uint64_t times = 0;
  double seconds = 0, shortest = 0,
         longest = 0;  // of all PEs; of the one with least and of the one with most
  CallSum inside;      // in calls
};

struct PeRow {
  bool seen = false, finished = false;
  double seconds = 0;   // from init to finalize, or to its end
  double recorded = 0;  // of these; the rest shmem_pcontrol has switched off
  // Of all threads that call: the first one from init on, each other from its first call on, until it ends or the PE does. It is
  // what times in OpenSHMEM are shares of.
  double of_threads = 0;
  int threads = 0;  // at most at a time
  CallSum inside;
  double cost_ns = 0;
  uint64_t heap_most = 0, lost = 0, lost_regions = 0, lost_threads = 0, unmatched = 0;
  std::string
      doing;  // of a PE that has not finished: what it was in, "computing" or "in shmem_quiet, heat.c:41 in main"
  std::string ending;  // and how it ended, "was ended by signal 9 (Killed)"; empty: unknown
  std::vector<std::pair<double, uint64_t>> heap;  // seconds since the job's beginning, bytes

  std::string end() const;  // for people; empty: it came to finalize
};

struct PairTraffic {
  uint64_t puts = 0, put_bytes = 0, gets = 0, got_bytes = 0;
};

struct Profile {
  std::string program;
  double seconds = 0;  // of the PE that took longest
  std::vector<PeRow> pes;
  std::vector<RoutineRow> routines;  // most time first, as all others
  std::vector<LineRow> lines;
  std::vector<LateRow> late;
  std::vector<EndedWaitRow> ended_waits;
  std::vector<MemoryRow> memory;
  std::vector<RegionRow> regions;
  std::vector<std::vector<PairTraffic>> traffic;  // from, to
  bool lines_unknown = false;

  int seen() const;
  CallSum total() const;
  int threads() const;  // that call, of all PEs
  bool threaded() const { return threads() > static_cast<int>(pes.size()); }
  bool paused() const;                        // by shmem_pcontrol
  std::string whose_time() const;             // what shares are shares of: "their time"
  double time_of_threads() const;             // of all PEs
  double recorded() const;                    // of the PE that recorded longest
  double own_cost() const;                    // seconds, of all PEs
  std::vector<std::string> warnings() const;  // what is missing, a sentence each

 private:
  uint64_t count(uint64_t PeRow::*what) const;
};

Profile read_profile(const RecordBuffer& buffer, const std::string& program, const Scale& scale,
                     Places& places);

}  // namespace atrium::profile
