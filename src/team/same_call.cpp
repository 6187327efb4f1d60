// Each member writes down its call, all meet, and everybody compares with what member 0 has written.
// SPDX-License-Identifier: BSD-3-Clause
#include "team/same_call.hpp"

#include <string>

#include "check/caller.hpp"
#include "team/block.hpp"
#include "team/flags.hpp"
#include "team/meeting.hpp"

namespace atrium {
namespace {

constexpr const char* names[] = {"a barrier",           "a sync",
                                 "a broadcast",         "a collect",
                                 "an fcollect",         "an alltoall",
                                 "a reduction",         "an inscan",
                                 "an exscan",           "a shmem_malloc",
                                 "a shmem_realloc",     "a shmem_free",
                                 "a strided split",     "a split in two dimensions",
                                 "a shmem_team_destroy", "shmem_finalize"};

// The same in all processes of a job, wherever their libraries are loaded.
int64_t place_of(const CollectiveCall& call) {
  return call.work ? reinterpret_cast<intptr_t>(call.work) - reinterpret_cast<intptr_t>(&compare_calls) : 0;
}

std::string describe_split(const Notice& notice) {
  const auto half = [&](int shift) {
    return std::to_string(static_cast<int32_t>(static_cast<uint64_t>(notice.which) >> shift));
  };
  if (notice.routine == static_cast<uint64_t>(Routine::split_2d))
    return " with an x range of " + std::to_string(notice.which);
  return " with start " + half(32) + ", stride " + half(0) + ", size " +
         std::to_string(static_cast<int32_t>(notice.bytes));
}

std::string describe(const Notice& notice) {
  std::string text = names[notice.routine];
  if (notice.routine >= static_cast<uint64_t>(Routine::destruction)) return text;
  if (notice.routine >= static_cast<uint64_t>(Routine::split_strided)) return text + describe_split(notice);
  if (notice.bytes > 0) text += " of " + std::to_string(notice.bytes) + " bytes";
  if (notice.routine == static_cast<uint64_t>(Routine::broadcast))
    text += " from PE " + std::to_string(notice.which) + " of the team";
  if (notice.routine >= static_cast<uint64_t>(Routine::resizing))
    text += " at offset " + std::to_string(notice.which) + " of the heap";
  return text;
}

bool equal(const Notice& a, const Notice& b) {
  return a.routine == b.routine && a.bytes == b.bytes && a.which == b.which && a.loop == b.loop;
}

// There are two notices, because one that is not read yet must not be overwritten: who writes the next but
// one has met everybody at the next.
Notice tell_and_hear_first(Team& team, const Notice& notice) {
  const uint64_t number = ++team.progress.notices % 2;
  Notice& mine = team.my_block().notices[number];
  mine = notice;
  meet(team);
  Notice first;
  if (team.is_here(0))
    first = team.block_of(0).notices[number];
  else
    read_from(team, 0, &first, &team.block_of(0).notices[number], sizeof first);
  return first;
}

[[noreturn]] void refuse(const Notice& mine, const Notice& first) {
  refuse_mismatch(describe(mine) + line_in_program(mine.caller),
                  describe(first) + line_in_program(first.caller),
                  mine.routine == first.routine && mine.loop != first.loop);
}

}  // namespace

void compare_calls(Team& team, const CollectiveCall& call) {
  const Notice mine{static_cast<uint64_t>(call.routine), call.bytes, call.which, place_of(call),
                    caller_in_program()};
  const Notice first = tell_and_hear_first(team, mine);
  if (!equal(mine, first)) refuse(mine, first);
}

bool is_said_by_first_at_end(Team& team, uint64_t what) {
  const Notice mine{static_cast<uint64_t>(Routine::end), what, 0, 0, caller_in_program()};
  const Notice first = tell_and_hear_first(team, mine);
  if (mine.routine != first.routine) refuse(mine, first);
  return mine.bytes == first.bytes;
}

}  // namespace atrium
