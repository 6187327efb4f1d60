// Asks the kernel of the other host from the middle of a silence on, again and again.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/hosts/silence.hpp"

#include <algorithm>
#include <utility>

#include "core/settings.hpp"
#include "os/network_interface.hpp"
#include "os/tcp_probe.hpp"

namespace atrium {
namespace {

using namespace std::chrono_literals;

// TCP sends what opens a connection again after 1 and 3 s.
constexpr auto ask_again_after = 4s;
constexpr const char* ssh_port = ":22";
// The longest time between two checks, which come each second: it was longer if this process had no CPU.
constexpr auto longest_between_looks = 2s;
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

Error describe_giving_up(const std::string& host, const std::string& because) {
  return {"host " + host + " has given this oshrun up", because, "running PEs there",
          "Ctrl-Z, which stops the job with it; ATRIUM_HOST_TIMEOUT=SECONDS to wait longer"};
}

std::chrono::steady_clock::duration silence_of(const HostLink& link) {
  return std::chrono::steady_clock::now() - link.last_received();
}

void SilenceWatch::set_networks(const std::vector<std::string>& networks) {
  const std::vector<std::string> own = addresses_of_networks();
  for (const std::string& network : networks)
    if (std::find(own.begin(), own.end(), network) == own.end()) addresses_.push_back(address_of(network));
  is_this_host_ = !networks.empty() && addresses_.empty();
}

Silence SilenceWatch::check(const HostLink& link, int limit_s) {
  const auto now = Clock::now();
  const auto silence = silence_of(link);
  if (limit_s == 0 || link.paused() || silence < ask_after(limit_s)) return forget(), Silence::none;
  take_answers(now);
  if (now - std::exchange(last_look_, now) > longest_between_looks) asks_ = false;
  if (!asks_ || now - last_asked_ >= ask_again_after) ask(now);
  // The time in which this process could not ask counts for nothing.
  if (silence < std::chrono::seconds(limit_s) || now - asks_since_ < answer_time(limit_s))
    return Silence::begins;
  const auto recently = now - std::chrono::seconds(limit_s) - ask_again_after;
  return is_this_host_ || last_answer_ >= recently ? Silence::is_slow : Silence::is_gone;
}

void SilenceWatch::ask(Clock::time_point now) {
  if (!asks_) asks_since_ = now;
  asks_ = true;
  last_asked_ = now;
  questions_.clear();
  for (const std::string& address : addresses_)
    if (auto question = begin_tcp_probe(address + ssh_port)) questions_.push_back(std::move(question));
}

void SilenceWatch::take_answers(Clock::time_point now) {
  std::erase_if(questions_, [&](const auto& question) {
    const Probe::Answer answer = question->look();
    if (answer == Probe::Answer::reachable) last_answer_ = now;
    return answer != Probe::Answer::none_yet;
  });
}

void SilenceWatch::forget() {
  questions_.clear();
  asks_ = false;
  last_answer_ = Clock::time_point::min();
}

}  // namespace atrium
