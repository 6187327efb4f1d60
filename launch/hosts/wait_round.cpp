// Asks each host one question at a time, so that its next answer belongs to that question.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/hosts/wait_round.hpp"

namespace atrium {

std::optional<WaitSample> WaitRound::add(Host& host, const WaitSample& sample) {
  if (std::erase(asked_, &host) == 0) return std::nullopt;
  together_.add(sample);
  const bool was_busy = busy_ == &host;
  if (was_busy && sample.all_wait) busy_ = nullptr;
  if (!sample.all_wait) busy_ = &host;
  if (!asked_.empty()) return std::nullopt;
  if (!was_busy || busy_) return together_;
  std::vector<Host*> others = hosts_;
  std::erase(others, &host);
  if (others.empty()) return together_;
  ask(std::move(others));
  return std::nullopt;
}

}  // namespace atrium
