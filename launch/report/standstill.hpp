// Decides whether all PEs of the job wait for each other, so that none can go on.
// SPDX-License-Identifier: BSD-3-Clause
//
// Samples decide it, and no clock. A sample of the job consists of the answers of its hosts, which come one after the other, and
// it begins after the sample before has ended on all hosts (job/deadlock_watch.hpp). In the first sample every PE waits, and none
// of its threads can do anything else (src/job/standstill.hpp). In the second none of these waits has ended. Every PE was sampled
// once before any PE was sampled twice, so there was a moment at which all of them waited. From then on no PE can change what
// they wait for. A PE that tests its condition between the second sample and a later one tests it after that moment; if the
// condition does not hold then, it never will. Load, stopped PEs, debuggers and slow networks only delay the samples.
//
// Between nodes, threads of the library also carry out what PEs have begun. They begin nothing else. So when as many operations
// have ended as have begun, and neither count has changed between the samples, no operation was under way at that moment, on any
// host or between hosts.
//
// A PE that tests in a loop of its own may leave the loop at any time. Where the others wait, and some PEs only test, at the same
// places in each sample, the user gets a hint after a while.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "launch/process/job_segment.hpp"
#include "launch/process/pes.hpp"

namespace atrium {

using WaitsOfPes = std::map<int, PublishedWait>;  // by the PE's number

// The sample of a host, or of all hosts.
struct WaitSample {
  bool all_wait = true;           // or test in vain, or have ended; otherwise the rest means nothing
  uint64_t begun = 0, ended = 0;  // between nodes, by all these PEs together (lobby/traffic.hpp)
  WaitsOfPes waits;               // of those that run

  void add(const WaitSample& other);
};

// At the PEs of this host.
WaitSample sample_waits(const JobSegment& segment, const Pes& pes);

struct Judgement {
  bool is_deadlock;  // else some PEs poll
  WaitsOfPes waits;  // of all PEs that run
};

class StandstillJudge {
 public:
  // `patience_s`: how long all must have waited before it is said.
  explicit StandstillJudge(uint64_t patience_s) : patience_ns_(patience_s * 1'000'000'000) {}

  // Of a sample of the whole job. Each kind of judgement is returned once.
  std::optional<Judgement> judge(const WaitSample& now);
  // The judgement could not be reported, because something has changed meanwhile.
  void withdraw(const Judgement& judgement);

 private:
  bool is_new(const WaitSample& now) const;
  bool is_judged(const WaitsOfPes& now, bool polls);

  uint64_t patience_ns_;
  bool hinted_ = false, judged_ = false;
  WaitSample first_;                 // the first sample since something has changed
  std::optional<WaitsOfPes> still_;  // the second, before which there was a moment at which all waited
  WaitsOfPes before_;                // the last
};

}  // namespace atrium
