// One turn of an endpoint (take what has come, send what may be sent), and the rest between two turns of a waiting PE.
// SPDX-License-Identifier: BSD-3-Clause
#include "network/waiting.hpp"

#include <algorithm>
#include <mutex>
#include <string>

#include "network/progress_thread.hpp"
#include "network/rings.hpp"
#include "network/thread_sanitizer.hpp"

namespace atrium {
namespace {

constexpr uint64_t short_sleep = 500'000;  // shorter than any sleep that ends by its time limit
constexpr uint64_t turns_per_check = 64;   // a check reads the clock
constexpr uint64_t turns_per_reading = 8;  // of the clock, for the progress thread

}  // namespace

// Takes what has come and sends what may be sent. Requires: the lock is held.
int Endpoint::turn() {
  if (has_failed()) return 0;
  const UnseenBySanitizer unseen;
  liveness_.count_turn();
  EngineEvent events[32];
  const int came = engine_->poll(events, 32);
  for (int i = 0; i < came && !has_failed(); ++i) handle(events[i]);
  if (came > 0) events_.store(events_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  if (__builtin_expect(lacks_receives_, 0)) post_receives();
  send_all();
  return came;
}

// Records that they append are sent before a thread sleeps, and so is what their commands wait for. Returns how many were executed.
int Endpoint::serve_rings(bool came) {
  constexpr int most_commands = 64;  // before the network is polled
  int executed = 0;
  for (int more = 1; more != 0 && executed < most_commands && !has_failed(); executed += more) {
    more = rings_->execute();
    if (rings_->is_broken()) fail(Error{"a command of a PE of this node makes no sense", "", "", ""});
    send_all();
  }
  commands_ended_ += static_cast<uint64_t>(executed);
  if (executed != 0) events_.fetch_add(1, std::memory_order_relaxed);
  if (came || executed != 0) rings_->wake_clients();
  return executed;
}

// A turn, the commands of the PEs that use this endpoint, and the wake-ups that follow.
int Endpoint::drive() {
  int came = turn();
  if (__builtin_expect(rings_ != nullptr, 0)) came += serve_rings(came > 0);
  publish_traffic();
  if (__builtin_expect(!sleepers_.is_empty(), 0)) sleepers_.call_ready();
  return came;
}

// Now and then the progress thread is told that it need not wake up.
uint64_t Endpoint::count_turn() {
  const uint64_t turns = turns_by_pe_.fetch_add(1, std::memory_order_relaxed);
  if (turns % turns_per_reading == 0 && progress_thread_) progress_thread_->put_off(now());
  return turns;
}

bool Endpoint::progress() {
  const uint64_t turns = count_turn();
  if (lock_.try_lock()) {
    const NotCancelled with_lock;
    const int came = drive();
    if (came == 0 && turns % turns_per_check == 0)
      check_silence();  // a PE that never sleeps keeps the thread away
    lock_.unlock();
  } else {
    lock_.require_another_holder();
  }
  const uint64_t now = events_.load(std::memory_order_relaxed);
  return events_seen_.exchange(now, std::memory_order_relaxed) != now;
}

int Endpoint::serve(bool& may_sleep) {
  may_sleep = false;
  if (!lock_.lock_soon()) return 1;
  const int came = drive();
  if (came == 0) may_sleep = !has_failed() && engine_->may_sleep() && lie_down();
  if (came == 0) check_silence();
  lock_.unlock();
  return came;
}

void Endpoint::has_slept() { rise(); }

std::optional<bool> Endpoint::serve_clients() {
  if (!lock_.try_lock()) return std::nullopt;
  drive();
  const bool has_more = rings_->has_work() && !has_failed();
  lock_.unlock();
  return has_more;
}

bool Endpoint::has_commands() {
  if (!rings_ || !lock_.try_lock()) return false;
  const bool has = rings_->has_work();
  lock_.unlock();
  return has;
}

void Endpoint::Waiter::rest() {
  endpoint_.count_turn();
  if (endpoint_.host_.idle) {  // a test or a simulator lets others run
    endpoint_.check_silence();
    endpoint_.lock_.unlock();
    endpoint_.host_.idle(endpoint_.host_.subject);
    return endpoint_.lock_.lock();
  }
  const WaitStages::Stage stage = stages_.next(endpoint_.host_.now_ns);
  if (stage == WaitStages::Stage::sleep) return sleep();
  endpoint_.lock_.unlock();
  stages_.rest(stage);
  endpoint_.lock_.lock();
}

void Endpoint::Waiter::sleep() {
  endpoint_.check_silence();
  if (endpoint_.has_failed() || !endpoint_.engine_->may_sleep() || !endpoint_.lie_down()) return;
  // Short at first: an engine that has refused something does not say when it would take it.
  const int longest_ms = endpoint_.wait_fd() < 0 ? 1 : std::min(1 << std::min(naps_++, 4), 10);
  stages_.rest(WaitStages::Stage::sleep);
  const uint64_t asleep_since = endpoint_.host_.now_ns();
  endpoint_.sleepers_.sleep(me_, endpoint_.lock_, endpoint_.wait_fd(), longest_ms);
  endpoint_.rise();
  // A transfer of megabytes, of which the engine reports nothing until its end, but which proceeds in each turn.
  if (endpoint_.host_.now_ns() - asleep_since < short_sleep) stages_.yield_again();
}

// Before a thread sleeps where the bell does not wake it, and after that. Requires: the lock is held. False: something has come.
bool Endpoint::lie_down() {
  if (!rings_) return true;
  rings_->bell().announce();
  if (!rings_->has_work()) return true;
  rings_->bell().withdraw();
  return false;
}

void Endpoint::rise() {
  if (rings_) rings_->bell().withdraw();
}

void Endpoint::check_silence() {
  if (host_.timeout_ns == 0 || has_failed() || !host_.now_ns) return;
  const auto verdict = silence_.check(wire_, *engine_, peers_);
  if (!verdict) return;
  const auto seconds = [](uint64_t ns) { return std::to_string(ns / 1'000'000'000) + " s"; };
  const std::string whom = name_of(*verdict->channel, plan_.hosts), silent = seconds(verdict->silent_ns);
  if (!verdict->is_cut_off) {
    const char* gone = links_.are_gone(*verdict->channel)
                           ? ", and the connection that led there is gone: the network was cut, or somebody "
                             "interferes with it"
                           : "";
    return fail(Error{whom + " does not answer",
                      "nothing has come from it for " + silent + note_on_strangers() + gone, "",
                      "a look at that host and the network; a larger ATRIUM_NET_TIMEOUT if it is only slow"});
  }
  if (failed_.exchange(true)) return;
  trace_channels();
  host_.cut_off(host_.subject, verdict->channel->node,
                cannot_reach(plan_.hosts[static_cast<size_t>(plan_.node)], whom,
                             "its PE has been silent for " + silent + ", and its kernel for " +
                                 seconds(HostWatch::cut_after_ns)));
}

}  // namespace atrium
