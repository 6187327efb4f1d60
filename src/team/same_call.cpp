// Each member publishes its call; after a barrier each compares its own with that of another member.
// SPDX-License-Identifier: BSD-3-Clause
#include "team/same_call.hpp"

#include <cstdlib>
#include <string>
#include <utility>

#include "atrium_words.hpp"
#include "check/caller.hpp"
#include "team/block.hpp"
#include "team/draft.hpp"
#include "team/flags.hpp"
#include "team/member_barrier.hpp"
#include "team/nodes.hpp"

namespace atrium {
namespace {

constexpr const char* names[] = {"a barrier",
                                 "a sync",
                                 "a broadcast",
                                 "a collect",
                                 "an fcollect",
                                 "an alltoall",
                                 "a reduction",
                                 "an inscan",
                                 "an exscan",
                                 "a shmem_malloc",
                                 "a shmem_malloc_with_hints",
                                 "a shmem_calloc",
                                 "a shmem_align",
                                 "a shmem_realloc",
                                 "a shmem_free",
                                 "a strided split",
                                 "a split in two dimensions",
                                 "a shmem_team_destroy",
                                 "shmem_finalize"};

// The same in all processes of a job, wherever their libraries are loaded.
int64_t place_of(const CollectiveCall& call) {
  return call.work ? reinterpret_cast<intptr_t>(call.work) - reinterpret_cast<intptr_t>(&compare_calls) : 0;
}

std::string describe_split(const Notice& notice) {
  const auto half = [&](int shift) {
    return std::to_string(static_cast<int32_t>(static_cast<uint64_t>(notice.which) >> shift));
  };
  if (notice.routine == static_cast<uint64_t>(CollectiveRoutine::split_2d))
    return " with an x range of " + std::to_string(notice.which);
  return " with start " + half(32) + ", stride " + half(0) + ", size " +
         std::to_string(static_cast<int32_t>(notice.bytes));
}

std::string describe(const Notice& notice) {
  std::string text = names[notice.routine];
  if (notice.routine >= static_cast<uint64_t>(CollectiveRoutine::destruction)) return text;
  if (notice.routine >= static_cast<uint64_t>(CollectiveRoutine::split_strided))
    return text + describe_split(notice);
  if (notice.bytes > 0) text += " of " + std::to_string(notice.bytes) + " bytes";
  if (notice.routine == static_cast<uint64_t>(CollectiveRoutine::broadcast))
    text += " from PE " + std::to_string(notice.which) + " of the team";
  if (notice.routine == static_cast<uint64_t>(CollectiveRoutine::aligned_allocation))
    text += " at a multiple of " + std::to_string(notice.which);
  if (notice.routine == static_cast<uint64_t>(CollectiveRoutine::hinted_allocation) && notice.which != 0)
    text += " with placing hints " + std::to_string(notice.which);
  if (notice.routine >= static_cast<uint64_t>(CollectiveRoutine::resizing))
    text += " at offset " + std::to_string(notice.which) + " of the heap";
  return text;
}

bool equal(const Notice& a, const Notice& b) {
  return a.number == b.number && a.routine == b.routine && a.bytes == b.bytes && a.which == b.which &&
         a.loop == b.loop;
}

Notice notice_of(const Team& team, const CollectiveCall& call, uint64_t caller) {
  return {static_cast<uint64_t>(call.routine),
          call.bytes,
          call.which,
          place_of(call),
          caller,
          0,
          team.progress.history,
          static_cast<uint32_t>(team.progress.syncs),
          static_cast<uint32_t>(team.progress.calls)};
}

// Different calls, and the same ones in another order, give different numbers as good as always.
constexpr uint64_t odd =
    0x9e3779b97f4a7c15;  // 2^64 over the golden ratio: spreads each bit over those above it
uint64_t lengthen(uint64_t history, const Notice& call) {
  const auto which = static_cast<uint64_t>(call.which), loop = static_cast<uint64_t>(call.loop);
  const uint64_t sum = ((history ^ call.routine ^ loop) * odd + call.bytes) * odd + which;
  return sum ^ sum >> 32;
}

// Equal where all that compare_notices() looks at is, and else different as good as always.
uint64_t digest_of(const Notice& notice) {
  const uint64_t counts = uint64_t{notice.syncs} << 32 | notice.calls;
  const uint64_t sum = ((lengthen(notice.history, notice) ^ notice.number) * odd + counts) * odd;
  return sum ^ sum >> 32;
}

uint64_t publish_notice(Team& team, Notice& notice) {
  notice.number = ++team.progress.notices;
  notice_in(team.my_block(), notice.number) = notice;
  team.progress.last_digest = digest_of(notice);
  return notice.number;
}

Notice take(Team& team, int member, const Notice& theirs) {
  if (team.is_here(member)) return theirs;
  Notice copy;
  read_from(team, member, &copy, &theirs, sizeof copy);
  return copy;
}

Notice read_notice(Team& team, int member, uint64_t number) {
  return take(team, member, notice_in(team.block_of(member), number));
}

Notice exchange_with_first(Team& team, Notice& notice) {
  const uint64_t number = publish_notice(team, notice);
  member_barrier(team);
  return read_notice(team, 0, number);
}

// Empty for an old notice: where the calls were to be compared, that member did not write one, as most collectives do not unless
// calls are checked.
std::string describe_theirs(const Notice& mine, const Notice& theirs) {
  if (theirs.number != mine.number) return "";
  return describe(theirs) + line_in_program(theirs.caller);
}

[[noreturn]] void refuse(const Notice& mine, const Notice& theirs, int member) {
  refuse_mismatch({describe(mine) + line_in_program(mine.caller), describe_theirs(mine, theirs), member,
                   mine.routine == theirs.routine && mine.loop != theirs.loop});
}

// Both make the same call now, and have not made as many before it. Barriers and syncs are counted apart: they are among what other
// collectives and allocations do.
[[noreturn]] void refuse_count(const Notice& mine, const Notice& theirs, int member) {
  const auto calls = static_cast<int32_t>(theirs.calls - mine.calls);
  const auto syncs = static_cast<int32_t>(theirs.syncs - mine.syncs);
  const int32_t more = calls != 0 ? calls : syncs;
  const auto how_many = static_cast<uint64_t>(std::abs(more));
  const std::string what = calls != 0      ? counted(how_many, "collective call")
                           : how_many == 1 ? "1 barrier or sync"
                                           : std::to_string(how_many) + " barriers or syncs";
  refuse_mismatch({describe(mine) + line_in_program(mine.caller),
                   describe_theirs(mine, theirs) + ", after " + what + (more > 0 ? " more" : " fewer"),
                   member, false, false, true});
}

std::string describe_past(const Notice& call, uint64_t number) {
  return call.number == number ? describe(call) + line_in_program(call.caller) : "none";
}

// The first of the calls before this one that differ, if it is one of the last.
[[noreturn]] void refuse_history(Team& team, int member) {
  const auto& mine = team.my_block().past_calls;
  Notice theirs[past_calls_kept];
  for (int i = 0; i < past_calls_kept; ++i)
    theirs[i] = take(team, member, team.block_of(member).past_calls[i]);
  const uint64_t last = team.progress.calls + 1;  // which the member may have made, and I not
  for (uint64_t number = last < past_calls_kept ? 1 : last - past_calls_kept + 1; number <= last; ++number) {
    const Notice &here = mine[number % past_calls_kept], &there = theirs[number % past_calls_kept];
    if (equal(here, there) || (here.number != number && there.number != number)) continue;
    refuse_mismatch({describe_past(here, number), describe_past(there, number), member,
                     here.routine == there.routine && here.loop != there.loop, true});
  }
  refuse_mismatch(
      {"a call before the last " + std::to_string(past_calls_kept), "another one", member, false, true});
}

void compare_notices(Team& team, const Notice& mine, const Notice& theirs, int member) {
  if (!equal(mine, theirs)) refuse(mine, theirs, member);
  // Programs of a job may differ, and one of them remember nothing.
  const bool both_remember = mine.history != 0 && theirs.history != 0;
  if (both_remember && mine.history != theirs.history) refuse_history(team, member);
  if (mine.calls != theirs.calls || mine.syncs != theirs.syncs) refuse_count(mine, theirs, member);
}

}  // namespace

void compare_calls(Team& team, const CollectiveCall& call) {
  Notice mine = notice_of(team, call, caller_in_program());
  const Notice first = exchange_with_first(team, mine);
  if (!equal(mine, first)) refuse(mine, first, 0);
}

void remember_call(Team& team, const CollectiveCall& call, const void* returns) {
  Notice mine = notice_of(team, call, place_in_program(returns));
  mine.number = team.progress.calls;
  team.my_block().past_calls[mine.number % past_calls_kept] = mine;
  team.progress.history = lengthen(mine.history, mine);
}

CallAtMeeting::CallAtMeeting(Team& team, const CollectiveCall& call, const void* returns) : team_(team) {
  if (comparing_calls() || team.size == 1) return;
  Notice mine = notice_of(team, call, place_in_program(returns));
  number_ = publish_notice(team, mine);
}

const Notice* unsent_notice(Team& team) {
  const uint64_t number = team.progress.notices;
  return std::exchange(team.nodes->notices_sent, number) == number ? nullptr
                                                                   : &notice_in(team.my_block(), number);
}

// What has come with a flag is old where the barrier was not that of leaders, or the other one's call has none.
Notice CallAtMeeting::notice_from(int member) const {
  if (team_.is_here(member)) return read_notice(team_, member, number_);
  const Notice& notice_there = notice_in(team_.nodes->leaders.my_block(), number_);
  return notice_there.number == number_ ? notice_there : read_notice(team_, member, number_);
}

void CallAtMeeting::compare() const {
  if (number_ == 0) return;
  const TeamNodes* const nodes = team_.nodes.get();
  if (!nodes) return compare_with_before();
  if (nodes->node.size > 1)
    compare_with(nodes->members.pes_of(nodes->me)[static_cast<size_t>(nodes->node.after(1))]);
  if (nodes->node.me == 0) compare_with(nodes->members.pes_of(nodes->noticed).front());
}

// A digest that came with a flag lies in the cache that the flag is in, a notice in that of the other member. Another barrier than
// dissemination brings none, and finds the one of an earlier notice.
void CallAtMeeting::compare_with_before() const {
  const auto& digest_before = team_.my_block().rounds[0].digests[number_ % 2];
  if (digest_before.load(std::memory_order_relaxed) != team_.progress.last_digest)
    compare_with(team_.after(team_.size - 1));
}

void CallAtMeeting::compare_with(int other) const {
  compare_notices(team_, notice_in(team_.my_block(), number_), notice_from(other), other);
}

// A member that finds no notice of the member before it ends the job, and that one has not destroyed the team: its block can be
// read for the message. Its past calls can while it waits for this to be said, which it does if its notice shows that it has any.
void compare_last_call(Team& team, const CollectiveCall& call, const void* returns) {
  if (comparing_calls()) return member_barrier(team);
  Notice mine = notice_of(team, call, place_in_program(returns));
  publish_notice(team, mine);
  member_barrier_with(team, mine);
  if (team.size == 1) return;
  const int before = team.after(team.size - 1);
  const Notice theirs = team.my_block().last_call;
  compare_notices(team, mine, theirs.number == mine.number ? theirs : read_notice(team, before, mine.number),
                  before);
  if (theirs.history != 0) detail::raise_at(team, before, team.block_of(before).past_calls_read, 1);
  if (mine.history != 0) await_flag(team, team.my_block().past_calls_read, 1, WaitKind::barrier);
}

CallsOfLivingTeams::CallsOfLivingTeams(const void* returns) {
  for (Team* team : split_teams())
    if (!team->spans_nodes) announced_.emplace_back(*team, CollectiveCall{CollectiveRoutine::end}, returns);
}

void CallsOfLivingTeams::compare() const {
  for (const CallAtMeeting& call : announced_) call.compare();
}

bool is_said_by_first_at_end(Team& team, uint64_t what) {
  Notice mine = notice_of(team, {CollectiveRoutine::end, what}, caller_in_program());
  const Notice first = exchange_with_first(team, mine);
  if (mine.routine != first.routine) refuse(mine, first, 0);
  return mine.bytes == first.bytes;
}

}  // namespace atrium
