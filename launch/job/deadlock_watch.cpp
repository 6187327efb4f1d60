// One question at a time to each host: its next answer is the one to that.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/job/deadlock_watch.hpp"

#include <iterator>
#include <utility>

#include "launch/report/deadlock.hpp"

namespace atrium {
namespace {

using namespace std::chrono_literals;

constexpr auto look_every = 500ms;

}  // namespace

DeadlockWatch::DeadlockWatch(Loop& loop, uint64_t patience_s, Tell tell)
    : loop_(loop), patience_s_(patience_s), tell_(std::move(tell)), standstill_(patience_s) {}

void DeadlockWatch::start(const std::vector<Host*>& hosts) {
  hosts_ = hosts;
  if (patience_s_ > 0) rest();
}

void DeadlockWatch::rest() {
  loop_.after(look_every, [this] { begin_round(); });
}

void DeadlockWatch::begin_round() {
  if (stopped_) return;
  together_ = {};
  ask(busy_ ? std::vector<Host*>{busy_} : hosts_);
}

// Some answer at once.
void DeadlockWatch::ask(std::vector<Host*> hosts) {
  asked_ = hosts;
  for (Host* host : hosts) host->look_at_waits();
}

// Nobody has to say what he was not asked.
bool DeadlockWatch::take_answer(const Host& host) { return !stopped_ && std::erase(asked_, &host) != 0; }

void DeadlockWatch::on_waits(Host& host, const WaitLook& look) {
  if (judgement_ || !take_answer(host)) return;
  together_.add(look);
  const bool was_busy = busy_ == &host;
  if (was_busy && look.all_wait) busy_ = nullptr;
  if (!look.all_wait) busy_ = &host;
  if (!asked_.empty()) return;
  if (!was_busy || busy_) return end_round();
  std::vector<Host*> others = hosts_;
  std::erase(others, &host);
  others.empty() ? end_round() : ask(std::move(others));
}

void DeadlockWatch::end_round() {
  judgement_ = standstill_.judge(together_);
  judgement_ ? ask_for_places() : rest();
}

void DeadlockWatch::ask_for_places() {
  placed_.clear();
  asked_ = hosts_;
  for (Host* host : hosts_) host->find_places();
}

void DeadlockWatch::on_places(Host& host, std::vector<PlacedWait> placed) {
  if (!judgement_ || !take_answer(host)) return;
  placed_.insert(placed_.end(), std::make_move_iterator(placed.begin()),
                 std::make_move_iterator(placed.end()));
  if (asked_.empty()) end_judgement();
}

// A loop of tests may have ended while its place was looked up.
void DeadlockWatch::end_judgement() {
  Judgement judgement = *std::exchange(judgement_, std::nullopt);
  if (!add_details(judgement, placed_)) {
    standstill_.withdraw(judgement);
    return rest();
  }
  tell_(judgement, placed_);
  if (!judgement.is_deadlock) rest();
}

}  // namespace atrium
