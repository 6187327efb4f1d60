// Turns, rests between them, and what becomes of a node that does not answer.
// SPDX-License-Identifier: BSD-3-Clause
#include "endpoint/waiting.hpp"

#include <algorithm>
#include <mutex>
#include <utility>

#include "arch/pause.hpp"
#include "endpoint/thread_sanitizer.hpp"
#include "wait/policy.hpp"

namespace atrium {
namespace {

constexpr uint64_t second = 1'000'000'000;
constexpr uint64_t note_after = 10 * second;
constexpr uint64_t ask_after = second;
constexpr uint64_t most_between_looks = 3 * second;
// The connection is opened by its kernel and by the provider, then the message goes and is answered; and one trip more.
constexpr uint64_t trips_to_first_answer = 4;
// Though the other host's kernel answers: somebody on the way may have cut the connection alone.
constexpr uint64_t slow_limit = 60 * second;
constexpr uint64_t short_sleep = 500'000;  // shorter than any sleep that nothing has ended
constexpr uint64_t turns_per_check = 64;   // a check reads the clock

// For how long something holds, of which `since` says when that was noticed; 0: it did not hold.
uint64_t time_of(bool holds, uint64_t& since, uint64_t now) {
  since = !holds ? 0 : since == 0 ? now : since;
  return holds ? now - since : 0;
}

}  // namespace

// Takes what has come and sends what may go. Requires: the lock is held.
int Endpoint::turn(bool push) {
  if (has_failed()) return 0;
  const UnseenBySanitizer unseen;
  hearing_.count_turn();
  EngineEvent events[32];
  const int came = engine_->poll(events, 32);
  for (int i = 0; i < came && !has_failed(); ++i) handle(events[i]);
  if (came > 0) events_.store(events_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  size_t kept = 0;
  for (size_t i = 0; i < busy_.size(); ++i) {  // pumping may list further ones
    Channel& channel = *busy_[i];
    if (!has_failed()) pump(channel, push);
    channel.is_busy = channel.open || !channel.waiting.empty() || channel.must_ask || channel.must_tell;
    if (channel.is_busy) busy_[kept++] = &channel;
  }
  busy_.resize(kept);
  return came;
}

// A turn, what the PEs that use this endpoint want, and who is to know of it.
int Endpoint::drive(bool push) {
  int came = turn(push);
  if (__builtin_expect(rings_ != nullptr, 0)) came += serve_rings(came > 0);
  if (__builtin_expect(!sleepers_.is_empty(), 0)) sleepers_.call_ready();
  return came;
}

bool Endpoint::progress() {
  const uint64_t turns = turns_by_pe_.fetch_add(1, std::memory_order_relaxed);
  if (lock_.try_lock()) {
    const int came = drive(true);
    if (came == 0 && turns % turns_per_check == 0)
      check_silence();  // a PE that never sleeps keeps the thread away
    lock_.unlock();
  }
  const uint64_t now = events_.load(std::memory_order_relaxed);
  return events_seen_.exchange(now, std::memory_order_relaxed) != now;
}

int Endpoint::serve(bool& may_sleep) {
  may_sleep = false;
  if (!lock_.try_lock()) return 1;
  const int came = drive(true);
  if (came == 0) may_sleep = !has_failed() && engine_->may_sleep() && lie_down();
  if (came == 0) check_silence();
  lock_.unlock();
  return came;
}

void Endpoint::has_slept() { rise(); }

bool Endpoint::has_commands() {
  if (!rings_ || !lock_.try_lock()) return false;
  const bool has = has_work_in_rings();
  lock_.unlock();
  return has;
}

void Endpoint::Patience::rest() {
  const WaitPolicy& policy = wait_policy();
  endpoint_.turns_by_pe_.fetch_add(1, std::memory_order_relaxed);
  if (endpoint_.host_.idle) {  // a test or a simulator lets others run
    endpoint_.check_silence();
    endpoint_.lock_.unlock();
    endpoint_.host_.idle(endpoint_.host_.subject);
    return endpoint_.lock_.lock();
  }
  // A turn without result costs about as much as ten looks at memory.
  const uint32_t looks_awake = spins_now() / 8;
  if (++looks_ <= looks_awake || !endpoint_.host_.rests) {
    endpoint_.lock_.unlock();
    pause();
    return endpoint_.lock_.lock();
  }
  const uint64_t now = endpoint_.host_.now_ns();
  if (yielding_since_ == 0) yielding_since_ = now;
  if (looks_ - looks_awake < yields_now() && now - yielding_since_ < policy.yield_us * uint64_t{1000}) {
    endpoint_.lock_.unlock();
    yields_.yield();
    return endpoint_.lock_.lock();
  }
  sleep();
}

void Endpoint::Patience::sleep() {
  endpoint_.check_silence();
  if (endpoint_.has_failed() || !endpoint_.engine_->may_sleep() || !endpoint_.lie_down()) return;
  // Short at first: an engine that has refused something does not tell when it would take it.
  const int longest_ms = endpoint_.wait_fd() < 0 ? 1 : std::min(1 << std::min(naps_++, 4), 10);
  yields_.pause();
  const uint64_t asleep_since = endpoint_.host_.now_ns();
  endpoint_.sleepers_.sleep(me_, endpoint_.lock_, endpoint_.wait_fd(), longest_ms);
  endpoint_.rise();
  // A transfer of megabytes, of which the engine says nothing until its end, but moves on in each turn.
  if (endpoint_.host_.now_ns() - asleep_since < short_sleep) yielding_since_ = 0;
}

// Before a thread sleeps where no bell is heard, and after it has. Requires: the lock is held. False: something has come.
bool Endpoint::lie_down() { return !rings_ || listen_to_rings(); }
void Endpoint::rise() {
  if (rings_) stop_listening_to_rings();
}

bool Endpoint::owes_answer(const Channel& channel) const {
  return channel.refused ||
         (!channel.unanswered.empty() && static_cast<int32_t>(channel.asked - channel.answered) > 0) ||
         channel.fetches_issued != channel.fetches_done || !channel.writes.is_idle() ||
         !channel.reads.is_idle();
}

void Endpoint::heard(Channel& channel) {
  channel.silent_since = channel.unasked_since = 0;
  channel.is_noted_silent = false;
  channel.host.forget();
  if (std::exchange(channel.is_told_silent, false)) hearing_.tell_heard();
}

// A killed peer gives no error, and one behind a cut cable neither: time decides.
void Endpoint::check_silence() {
  if (host_.timeout_ns == 0 || has_failed() || !host_.now_ns) return;
  const uint64_t now = host_.now_ns();
  const uint64_t looked_at = std::exchange(looked_for_silence_at_, now);
  const auto asks = host_.cut_off ? HostWatch::Asks::once : HostWatch::Asks::again;
  for (Channel* channel : in_use_) {
    if (now - looked_at > most_between_looks) heard(*channel);  // stopped, it has not listened either
    const bool owes = owes_answer(*channel);
    const uint64_t silent = time_of(owes, channel->silent_since, now);
    const bool may_ask = host_.cut_off != nullptr || host_.hearing != nullptr;
    const bool is_cut_off = may_ask && channel->host.is_cut_off(*engine_, channel->peer, silent, now, asks);
    complain_of_silence(*channel, silent, now);
    if (is_cut_off && host_.cut_off) return say_cut_off(*channel, silent);
    // Two nodes that each wait for the other's next message, as in a barrier, would never learn of a cut cable.
    if (time_of(!owes && !channel->unanswered.empty(), channel->unasked_since, now) < ask_after) continue;
    channel->must_ask = true;
    list(*channel);
  }
}

void Endpoint::complain_of_silence(Channel& channel, uint64_t silent, uint64_t now) {
  // A process that is stopped is waited for: its kernel answers, which a cut network prevents.
  const bool is_there = host_.cut_off && channel.host.has_answered();
  if (silent > host_.timeout_ns && !is_there) {
    fail(Error{host_of(channel) + " does not answer",
               "nothing has come from it for " + std::to_string(silent / second) + " s" +
                   remark_on_strangers() + remark_on_links(channel),
               "", "a look at that host and the network; a larger ATRIUM_NET_TIMEOUT if it is only slow"});
    return;
  }
  const bool is_slow = channel.host.is_there(now) && silent < slow_limit;
  if (silent > Hearing::told_after_ns + trips_to_first_answer * channel.host.round_trip_ns() && !is_slow) {
    channel.is_told_silent = true;
    hearing_.tell_silent({channel.node, channel.endpoint});
  }
  if (silent > note_after && !channel.is_noted_silent && host_.note) {
    channel.is_noted_silent = true;
    host_.note(host_.subject,
               host_of(channel) + " has not answered for " + std::to_string(silent / second) + " s");
  }
}

void Endpoint::say_cut_off(const Channel& channel, uint64_t silent) {
  if (failed_.exchange(true)) return;
  const auto seconds = [](uint64_t ns) { return std::to_string(ns / second) + " s"; };
  host_.cut_off(host_.subject, channel.node,
                cannot_reach(plan_.hosts[static_cast<size_t>(plan_.node)], host_of(channel),
                             "its PE has been silent for " + seconds(silent) + ", and its kernel for " +
                                 seconds(HostWatch::cut_after_ns)));
}

}  // namespace atrium
