// The text of a long wait: the routine, who called it, and what value it waits for.
// SPDX-License-Identifier: BSD-3-Clause
#include "job/long_wait.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <string>
#include <string_view>

#include "arch/fence.hpp"
#include "check/caller.hpp"
#include "team/nodes.hpp"
#include "team/world.hpp"
#include "wait/wait.hpp"

namespace atrium {
namespace {

LobbyWait* my_wait = nullptr;

// Every PE takes part in whatever is synchronised through the world team, in the same order.
bool waits_for_all(const WaitReason& reason) {
  if (reason.kind != WaitKind::barrier && reason.kind != WaitKind::collective) return false;
  if (world_team.size == 0) return false;
  const auto place = reinterpret_cast<uintptr_t>(reason.address);
  const auto block = reinterpret_cast<uintptr_t>(&world_team.my_block());
  return place - block < block_bytes_on_nodes(world_team.size, world_team.spans_nodes);
}

std::string describe_kind(const WaitReason& reason) {
  switch (reason.kind) {
    case WaitKind::barrier:
    case WaitKind::collective:
      return waits_for_all(reason) ? "a barrier or another collective of all PEs"
                                   : "a barrier or another collective of a team";
    default:
      return std::string("a wait for ") + name_of(reason.kind);
  }
}

// The end of a long path says more than its front.
std::string shorten_path(std::string caller, size_t room) {
  constexpr std::string_view before = " from ", mark = "...";
  const size_t found = caller.find(before);
  if (caller.size() <= room || found == std::string::npos) return caller;
  return caller.replace(found + before.size(), caller.size() - room + mark.size(), mark);
}

std::string describe(const WaitReason& reason) {
  std::string caller = describe_caller(), kind;
  if (!caller.starts_with("shmem_")) {
    if (caller.starts_with("a call from")) caller.replace(0, std::strlen("a call"), "called");
    kind = describe_kind(reason) + (caller.empty() ? "" : ", ");
  }
  const std::string value = describe_words(reason);
  return kind + shorten_path(caller, std::size(my_wait->text) - 1 - kind.size() - value.size()) + value;
}

void write_text(const std::string& text) {
  const size_t length = std::min(text.size(), std::size(my_wait->text) - 1);
  for (size_t i = 0; i < length; ++i) my_wait->text[i].store(text[i], std::memory_order_relaxed);
  my_wait->text[length].store('\0', std::memory_order_relaxed);
}

// Of several threads the first one's wait is told.
bool tell(const WaitReason& reason, uint64_t since_ns) {
  uint64_t nobody = 0;
  // Another thread's text comes before mine in every order.
  if (!my_wait->since_ns.compare_exchange_strong(nobody, LobbyWait::being_written, std::memory_order_acquire,
                                                 std::memory_order_relaxed))
    return false;
  release_fence();  // SYNC lobby-wait-text: nobody sees the text before the claim
  write_text(describe(reason));
  my_wait->for_all.store(waits_for_all(reason), std::memory_order_relaxed);
  my_wait->since_ns.store(since_ns, std::memory_order_release);  // SYNC lobby-wait
  return true;
}

void forget() { my_wait->since_ns.store(0, std::memory_order_release); }  // SYNC lobby-wait

}  // namespace

void tell_long_waits_in(LobbyWait& mine) {
  my_wait = &mine;
  watch_long_waits({tell, forget});
}

void stop_telling_long_waits() { watch_long_waits({}); }

}  // namespace atrium
