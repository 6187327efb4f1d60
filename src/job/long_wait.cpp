// Describes a long wait: the routine, its caller, and what it waits for; and counts the threads that wait.
// SPDX-License-Identifier: BSD-3-Clause
#include "job/long_wait.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <functional>
#include <iterator>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "arch/fence.hpp"
#include "arena/arena.hpp"
#include "check/caller.hpp"
#include "core/never_destroyed.hpp"
#include "core/number_list.hpp"
#include "job/network.hpp"
#include "job/standstill.hpp"
#include "lobby/wait_words.hpp"
#include "memory/memory.hpp"
#include "os/clock.hpp"
#include "os/stack_frames.hpp"
#include "os/threads.hpp"
#include "team/team.hpp"
#include "team/world.hpp"
#include "wait/wait.hpp"

namespace atrium {
namespace {

constexpr auto relaxed = std::memory_order_relaxed;
constexpr uint64_t second = 1'000'000'000;

// The threads of this process that wait long. Under `mutex`, which no thread holds while it waits.
struct Waiters {
  std::mutex mutex;
  std::vector<LongWait*> all;
  const LongWait* shown = nullptr;  // whose words are in the lobby
  uint64_t round = 0;               // in which each of them looks once
  uint64_t next_look_ns = 0;
  bool is_looking = false;  // one of them samples the others; it alone uses the following members
  uint64_t looked_at = 0;   // `changes` at the last look
  Standstill standstill;
};
ATRIUM_CONSTINIT_VECTOR NeverDestroyed<Waiters> kept_waiters;
Waiters& waiters = kept_waiters.object;
LobbyWait* my_wait = nullptr;
const char* routine_at_exit = "";

const Team* team_of(const WaitReason& reason) {
  const bool collective = reason.kind == WaitKind::barrier || reason.kind == WaitKind::collective;
  return collective && reason.address ? team_that_waits_at(reason.address) : nullptr;
}

std::string describe_kind(const WaitReason& reason, const Team* team) {
  switch (reason.kind) {
    case WaitKind::barrier:
    case WaitKind::collective:
      return team == &world_team ? "a barrier or another collective of all PEs"
                                 : "a barrier or another collective of a team";
    default:
      return std::string("a wait for ") + name_of(reason.kind);
  }
}

// The end of a long path is more useful than its beginning.
std::string shorten_path(std::string caller, size_t room) {
  constexpr std::string_view before = " from ", mark = "...";
  const size_t found = caller.find(before);
  if (caller.size() <= room || found == std::string::npos) return caller;
  return caller.replace(found + before.size(), caller.size() - room + mark.size(), mark);
}

template <size_t N>
void set_text(char (&text)[N], const std::string& value) {
  text[value.copy(text, N - 1)] = '\0';
}

std::string describe(const WaitReason& reason, const Caller& from, const Team* team) {
  std::string caller = describe(from), kind;
  if (from.routine.empty()) {
    if (caller.starts_with("a call from")) caller.replace(0, std::strlen("a call"), "called");
    kind = describe_kind(reason, team) + (caller.empty() ? "" : ", ");
  }
  const std::string value = describe_words(reason);
  return kind + shorten_path(caller, sizeof(WaitDetails::text) - 1 - kind.size() - value.size()) + value;
}

// Every PE takes part in whatever is synchronised through the world team, in the same order. A member names its team by
// where the first member's block lies.
void describe_team(const Team& team, WaitDetails& details) {
  details.for_all = &team == &world_team;
  details.team_first = team.world_pe(0);
  details.team_place = reinterpret_cast<intptr_t>(&team.block_of(0)) -
                       (team.is_here(0) ? reinterpret_cast<intptr_t>(park_slot_at(team.system_delta_of(0)))
                                        : reinterpret_cast<intptr_t>(my_park_slot));
  set_text(details.team_name, &team == &world_team    ? "SHMEM_TEAM_WORLD"
                              : &team == &shared_team ? "SHMEM_TEAM_SHARED"
                                                      : "");
  std::vector<int> pes;
  for (int member = 0; member < team.size; ++member) pes.push_back(team.world_pe(member));
  std::sort(pes.begin(), pes.end());
  const std::string members = format_number_list(pes);
  if (members.size() < sizeof details.members) set_text(details.members, members);
}

void describe_block(WaitDetails& details) {
  const auto* const address = reinterpret_cast<const std::byte*>(details.address);
  const auto block = details.width > 0 ? block_around(address) : std::nullopt;
  if (!block) return;
  details.block_bytes = block->bytes;
  details.block_at = block->at;
  details.block_into = static_cast<uint64_t>(address - arena.heap().begin) - block->at;
  details.block_caller = reinterpret_cast<uintptr_t>(block->caller);
}

// Of this thread. It is found without `mutex`: it may take the lock of an interpreter (check/python_place.hpp).
struct Stack {
  Stack() : count(walk_frames(frames)), caller(find_caller({frames, count})) {}
  void* frames[64];
  size_t count;
  Caller caller;
};

WaitDetails details_of(const WaitReason& reason, const Stack& stack) {
  WaitDetails details{};
  Caller caller = stack.caller;
  if (caller.routine.empty()) caller.routine = routine_at_exit;
  const Team* team = team_of(reason);
  details.kind = static_cast<uint32_t>(reason.kind);
  details.pe = reason.pe;
  details.width = reason.width;
  details.address = reinterpret_cast<uintptr_t>(reason.address);
  details.wanted = reason.value;
  std::strncpy(details.comparison, reason.comparison, sizeof details.comparison - 1);
  details.team_first = -1;
  if (team) describe_team(*team, details);
  set_text(details.routine, caller.routine);
  details.caller = reinterpret_cast<uintptr_t>(caller.returns);
  for (size_t i = 0; i < std::min(stack.count, WaitDetails::most_frames); ++i)
    details.frames[i] = reinterpret_cast<uintptr_t>(stack.frames[i]);
  describe_block(details);
  set_text(details.text, describe(reason, caller, team));
  return details;
}

template <class Word>
uint64_t load_as(const volatile void* address) {
  return static_cast<uint64_t>(__atomic_load_n(static_cast<const volatile Word*>(address), __ATOMIC_RELAXED));
}

uint64_t load_word(const WaitReason& reason) {
  switch (reason.width) {
    case 2:
      return load_as<int16_t>(reason.address);
    case 4:
      return load_as<int32_t>(reason.address);
    case 8:
      return load_as<uint64_t>(reason.address);
    default:
      return 0;
  }
}

auto words_of(const WaitDetails& details) {
  return std::bit_cast<std::array<uint64_t, sizeof details / sizeof(uint64_t)>>(details);
}

// Of several threads the first one's wait is shown.
void publish(const LongWait& wait, const Stack& stack) {
  waiters.shown = &wait;
  my_wait->seen.store(load_word(wait.reason), relaxed);
  publish_words(my_wait->since_ns, my_wait->words, words_of(details_of(wait.reason, stack)), wait.since_ns);
}

void count_change() {
  my_wait->stands.store(0, relaxed);
  my_wait->waiting.store(static_cast<uint32_t>(waiters.all.size()), relaxed);
  my_wait->changes.store(my_wait->changes.load(relaxed) + 1, relaxed);
  waiters.next_look_ns = 0;
  ++waiters.round;
}

void end_round_if_all_have_looked() {
  for (const LongWait* wait : waiters.all)
    if (wait->round != waiters.round) return;
  ++waiters.round;
  my_wait->looks.store(my_wait->looks.load(relaxed) + 1, std::memory_order_release);  // SYNC lobby-looks
}

// The sample is valid if no wait has begun or ended meanwhile, nor since the sample before. No thread has to wait for it.
void look_at_threads(std::unique_lock<std::mutex>& lock) {
  const uint64_t now = now_ns();
  if (now < waiters.next_look_ns || waiters.is_looking) return;
  waiters.next_look_ns = now + second / 2;
  my_wait->seen.store(load_word(waiters.shown->reason), relaxed);
  const uint64_t changes = my_wait->changes.load(relaxed);
  if (changes != waiters.looked_at) waiters.standstill.forget();
  waiters.looked_at = changes;
  std::vector<pid_t> threads;
  for (const LongWait* wait : waiters.all) threads.push_back(wait->thread);
  // What these threads may still do is counted in the lobby: they only carry out what PEs have begun.
  for (const int thread : network_threads()) threads.push_back(thread);
  waiters.is_looking = true;
  lock.unlock();
  const bool stands = waiters.standstill.look(std::move(threads));
  lock.lock();
  waiters.is_looking = false;
  if (changes == my_wait->changes.load(relaxed)) my_wait->stands.store(stands, relaxed);
}

void begin(LongWait& wait) {
  const Stack stack;
  const std::lock_guard guard(waiters.mutex);
  wait.thread = this_thread();
  waiters.all.push_back(&wait);
  count_change();
  if (!waiters.shown) publish(wait, stack);
}

// Where no wait is shown any more.
void show(LongWait& wait, std::unique_lock<std::mutex>& lock) {
  lock.unlock();
  const Stack stack;
  lock.lock();
  if (!waiters.shown) publish(wait, stack);
}

void looked(LongWait& wait) {
  std::unique_lock lock(waiters.mutex);
  if (!waiters.shown) show(wait, lock);
  wait.round = waiters.round;
  look_at_threads(lock);
  end_round_if_all_have_looked();
}

void end(LongWait& wait) {
  {
    const std::lock_guard guard(waiters.mutex);
    std::erase(waiters.all, &wait);
    count_change();
    if (waiters.shown == &wait) {
      waiters.shown = nullptr;
      my_wait->since_ns.store(0, relaxed);
    }
  }
  full_fence();  // whoever sees what this thread does next also sees that it does not wait any more
}

// Tests of the program that fail, as far as they are noticed. They count as one loop while they come fast, from one place.
struct Polling {
  uint64_t since_ns = 0, last_ns = 0, next_look_ns = 0;
  uint64_t place = 0;
};
constinit NeverDestroyed<Polling> kept_polling;
Polling& polling = kept_polling.object;

// Never 0. A call by Python has no address of its own.
uint64_t place_of(const Caller& caller) {
  return caller.returns ? reinterpret_cast<uintptr_t>(caller.returns)
                        : std::hash<std::string>{}(caller.place) | 1;
}

void report_polling(const Stack& stack) {
  const WaitDetails details = details_of(WaitReason{}, stack);
  if (const uint64_t place = place_of(stack.caller); place != polling.place) {
    polling.since_ns = polling.last_ns;
    polling.place = place;
    publish_words(my_wait->polling_since_ns, my_wait->polling_words, words_of(details), polling.since_ns);
  }
  my_wait->polls.store(my_wait->polls.load(relaxed) + 1, relaxed);
}

void polled() {
  const uint64_t now = now_ns();
  std::unique_lock guard(waiters.mutex, std::try_to_lock);
  if (!guard) return;
  if (now - polling.last_ns > second / 2) polling = {now, now, now + second, 0};
  polling.last_ns = now;
  if (now < polling.next_look_ns) return;
  polling.next_look_ns = now + second / 4;
  guard.unlock();
  const Stack stack;
  guard.lock();
  report_polling(stack);
}

}  // namespace

void publish_long_waits_in(LobbyWait& mine) {
  my_wait = &mine;
  watch_long_waits({begin, looked, end});
  watch_polling(polled);
}

void name_waits_at_exit(const char* routine) { routine_at_exit = routine; }

void stop_publishing_long_waits() {
  watch_long_waits({});
  watch_polling(nullptr);
}

}  // namespace atrium
