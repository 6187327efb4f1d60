// Asks the kernel of the other host from the middle of a silence on, again and again.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/hosts/silence.hpp"

#include <algorithm>

#include "core/settings.hpp"

namespace atrium {
namespace {

using namespace std::chrono_literals;

// TCP sends what opens a connection again after 1 and 3 s.
constexpr auto ask_again_after = 4s;
// Something is said each second, and a little later where there is much to do.
constexpr int least_limit_s = 2;

// From what silence on the kernel is asked.
std::chrono::seconds ask_after(int limit_s) {
  return std::chrono::seconds(std::max((limit_s + 1) / 2, least_limit_s));
}

// How long it has for its answer.
std::chrono::seconds answer_time(int limit_s) {
  return std::max(std::chrono::seconds(limit_s) - ask_after(limit_s), std::chrono::seconds(1));
}

}  // namespace

int silence_limit_s() {
  auto seconds = seconds_setting("ATRIUM_HOST_TIMEOUT");
  if (!seconds || *seconds == 0) return 0;
  return static_cast<int>(std::clamp<unsigned>(whole_seconds_of(*seconds), least_limit_s, 1U << 30));
}

std::chrono::steady_clock::duration silence_of(const HostLink& link) {
  return std::chrono::steady_clock::now() - link.last_heard();
}

Silence SilenceWatch::look(const HostLink& link, int limit_s) {
  const auto now = Clock::now();
  const auto silence = silence_of(link);
  if (limit_s == 0 || link.paused() || silence < ask_after(limit_s)) {
    if (asks_) host_.forget();
    asks_ = false;
    return Silence::none;
  }
  ask(now);
  // The time in which this process could not ask counts for nothing.
  if (silence < std::chrono::seconds(limit_s) || now - asks_since_ < answer_time(limit_s))
    return Silence::begins;
  const auto recently = now - std::chrono::seconds(limit_s) - ask_again_after;
  return host_.has_answered_since(recently) ? Silence::is_slow : Silence::is_gone;
}

void SilenceWatch::ask(Clock::time_point now) {
  host_.look();
  if (asks_ && now - last_asked_ < ask_again_after) return;
  if (!asks_) asks_since_ = now;
  asks_ = true;
  last_asked_ = now;
  host_.ask();
}

}  // namespace atrium
