// The events of one thread of a PE, as OTF2 wants them: begins and ends in the order of time, each inside of another or after it.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "profile/trace/flows.hpp"
#include "profile/trace/otf2_names.hpp"
#include "profile/trace/otf2_teams.hpp"

namespace atrium::profile {

// What the events of all threads share.
struct Otf2Trace {
  const Otf2Library& otf2;
  const TimeLine& line;
  Otf2Names& names;
  const Otf2Teams& teams;
  std::unordered_map<const Event*, const Flow*> ended_by;  // of a wait
};

class Otf2Events {
 public:
  Otf2Events(Otf2Trace& trace, OTF2_EvtWriter* writer);
  ~Otf2Events();
  Otf2Events(const Otf2Events&) = delete;
  Otf2Events& operator=(const Otf2Events&) = delete;

  // Each inside of what is open, or after it.
  void add(const Happening& one);
  void finish() { close_until(UINT64_MAX); }
  bool good() const { return good_; }

 private:
  struct Open {
    Happening one;
    OTF2_RegionRef region;
    Otf2Routine routine;
    uint64_t operation = 0;  // its number, where it is one-sided
  };

  void close_until(uint64_t ticks);
  void enter(Open& entered);
  void leave(const Open& left);
  void complete(const Open& left, uint64_t ns);
  void begin_operation(Open& entered, uint64_t ns);
  void end_operation(const Open& left, uint64_t ns);
  void begin_collective(const Open& entered, uint64_t ns);
  void end_collective(const Open& left, uint64_t ns);
  void complete_pending(const Otf2Routine& routine, uint64_t ns);
  void say_who_ended(const Happening& wait);
  void check(OTF2_ErrorCode code) { good_ = good_ && code == OTF2_SUCCESS; }

  Otf2Trace& trace_;
  const Otf2Library& otf2_;
  OTF2_EvtWriter* writer_;
  OTF2_AttributeList* attributes_;
  std::vector<Open> stack_;
  uint64_t operations_ = 0;
  std::vector<uint64_t> pending_[2];  // non-blocking operations, on the default context and on others
  bool good_ = true;
};

}  // namespace atrium::profile
