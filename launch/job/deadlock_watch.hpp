// Asks the hosts of a job, round after round, whether all PEs wait, and reports when they wait for each other.
// SPDX-License-Identifier: BSD-3-Clause
//
// Rounds.     A round is over when each host that was asked has answered, and the next one begins later. So on every host
//             the samples of a round are taken after all samples of the round before, on which report/standstill.hpp relies. A
//             host that is slow or stopped only makes the round long. An agent answers for the hosts below it when all of them
//             have answered.
// Cost.       While some PE of a host does anything but wait, that host alone is asked: one small question and one small answer
//             in half a second for the whole job. Hosts answer from shared memory, and ask their PEs nothing.
#pragma once

#include <functional>
#include <vector>

#include "launch/hosts/answers.hpp"
#include "launch/hosts/host.hpp"
#include "launch/hosts/wait_round.hpp"
#include "launch/io/loop.hpp"
#include "launch/report/standstill.hpp"

namespace atrium {

class DeadlockWatch {
 public:
  using Report = std::function<void(const Judgement&, const std::vector<PlacedWait>&)>;

  // `patience_s`: how long all must have waited before it is reported; 0: no host is asked.
  DeadlockWatch(Loop& loop, uint64_t patience_s, Report report);

  // Requires: the hosts live as long as the loop is turned.
  void start(const std::vector<Host*>& hosts);
  void stop() { stopped_ = true; }

  // Answers.
  void on_waits(Host& host, const WaitSample& sample);
  void on_places(Host& host, std::vector<PlacedWait> placed);

 private:
  void rest();
  void begin_round();
  void end_round(const WaitSample& whole);
  void end_judgement(const std::vector<PlacedWait>& placed);

  Loop& loop_;
  const uint64_t patience_s_;
  Report report_;
  StandstillJudge standstill_;
  std::vector<Host*> hosts_;
  WaitRound round_;
  std::optional<Judgement> judgement_;
  Answers<PlacedWait> places_;  // of what is judged
  bool stopped_ = false;
};

}  // namespace atrium
