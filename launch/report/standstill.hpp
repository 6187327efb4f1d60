// Do all PEs of the job wait for each other?
// SPDX-License-Identifier: BSD-3-Clause
//
// Two looks decide it, and no clock. At the first, every PE waits, and no thread of it can do anything else
// (src/job/standstill.hpp); at the second, none of these waits has ended, and each has looked in vain between the two. So
// nobody has done anything between them; what nobody has changed stays as it is; and who has looked in vain will do so for
// ever. A machine under load, stopped PEs and debuggers only make the second look late.
//
// Between nodes there are also threads of the library that carry out what PEs have begun. They begin nothing else; so when
// as much has ended as has begun, and none of these counts has changed between the looks, nothing is under way.
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

using WaitsOfPes = std::map<int, ToldWait>;  // by the PE's number

struct Judgement {
  bool is_deadlock;  // else some PEs poll
  WaitsOfPes waits;  // of all PEs that run
};

class Standstill {
 public:
  // `patience_s`: how long all must have waited before it is said; 0: it never is.
  explicit Standstill(uint64_t patience_s) : patience_ns_(patience_s * 1'000'000'000) {}

  // To be called now and then. Each kind of judgement comes once for a job.
  std::optional<Judgement> look(const JobSegment& segment, const Pes& pes);
  // Of what has been seen; empty: some PE does not wait.
  std::optional<Judgement> judge(const WaitsOfPes& now);

 private:
  bool is_new(const WaitsOfPes& now) const;
  bool is_judged(const WaitsOfPes& now, bool polls);

  uint64_t patience_ns_;
  bool hinted_ = false, judged_ = false;
  WaitsOfPes first_;   // the first look at what stands still since
  WaitsOfPes before_;  // the last look
};

}  // namespace atrium
