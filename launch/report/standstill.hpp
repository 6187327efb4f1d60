// Do all PEs of the job wait for each other?
// SPDX-License-Identifier: BSD-3-Clause
//
// Looks decide it, and no clock. Each is put together of what the job's hosts have answered one after the other, and begins after
// the one before has ended on all of them (job/deadlock_watch.hpp). In the first every PE waits, and no thread of it can do
// anything else (src/job/standstill.hpp); in the second none of these waits has ended. No PE was looked at twice before all had
// been looked at once, so there was a moment at which all of them stood still together; what nobody has changed since stays as it
// is. Whoever has looked in vain between the second look and a later one has done so after that moment, and will do so for ever.
// A machine under load, stopped PEs, debuggers and slow networks only make the looks late.
//
// Between nodes there are also threads of the library that carry out what PEs have begun. They begin nothing else; so when
// as much has ended as has begun, and none of these counts has changed between the looks, nothing was under way at that moment,
// on no host and between none of them.
//
// A PE that tests in a loop of its own may stop doing so at any time. Where the others wait, and some do nothing but test, in
// the same places at each look, that is worth a hint after a while.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "launch/process/job_segment.hpp"
#include "launch/process/pes.hpp"

namespace atrium {

using WaitsOfPes = std::map<int, PublishedWait>;  // by the PE's number

// What a look has found on a host, or on all of them.
struct WaitLook {
  bool all_wait = true;           // or test in vain, or have ended; else nothing below means anything
  uint64_t begun = 0, ended = 0;  // between nodes, by all these PEs together (lobby/traffic.hpp)
  WaitsOfPes waits;               // of those that run

  void add(const WaitLook& other);
};

// At the PEs of this host.
WaitLook look_at_waits(const JobSegment& segment, const Pes& pes);

struct Judgement {
  bool is_deadlock;  // else some PEs poll
  WaitsOfPes waits;  // of all PEs that run
};

class StandstillJudge {
 public:
  // `patience_s`: how long all must have waited before it is said.
  explicit StandstillJudge(uint64_t patience_s) : patience_ns_(patience_s * 1'000'000'000) {}

  // Of a look at the whole job. Each kind of judgement comes once.
  std::optional<Judgement> judge(const WaitLook& now);
  // What was judged could not be told: it has changed meanwhile.
  void withdraw(const Judgement& judgement);

 private:
  bool is_new(const WaitLook& now) const;
  bool is_judged(const WaitsOfPes& now, bool polls);

  uint64_t patience_ns_;
  bool hinted_ = false, judged_ = false;
  WaitLook first_;                   // the first look at what stands still since
  std::optional<WaitsOfPes> still_;  // the next one, before which all stood still together
  WaitsOfPes before_;                // the last one
};

}  // namespace atrium
