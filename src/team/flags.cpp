// Waits for flags that are not raised yet, and raises those of members on other nodes.
// SPDX-License-Identifier: BSD-3-Clause
#include "team/flags.hpp"

#include "transport/away.hpp"

namespace atrium {
namespace {

RemoteAddress address_of(const Team& team, int member, const void* place) {
  return remote_address(place, team.world_pe(member));
}

AwayTransport& transport_to(const Team& team, int member) { return away_to(team.world_pe(member)); }

}  // namespace

namespace detail {

void raise_away(const Team& team, int member, const Epoch& flag, uint64_t epoch, const void* place,
                const void* data, size_t bytes, Next next) {
  transport_to(team, member)
      .raise(collective_context, address_of(team, member, &flag), epoch,
             address_of(team, member, place ? place : &flag), data, bytes, next);
}

void raise_away_later(const Team& team, int member, const Epoch& flag, uint64_t epoch, const void* place,
                      const void* data, size_t bytes) {
  transport_to(team, member)
      .put_signal(collective_context, address_of(team, member, place), data, bytes,
                  address_of(team, member, &flag), {WordOp::set, 8, epoch}, Completion::nonblocking);
}

uint64_t count_away(const Team& team, int member, const Epoch& counter) {
  return transport_to(team, member)
             .change_word(collective_context, address_of(team, member, &counter), {WordOp::add, 8, 1}) +
         1;
}

void add_away(const Team& team, int member, const Epoch& counter) {
  transport_to(team, member)
      .change_word_later(collective_context, address_of(team, member, &counter), {WordOp::add, 8, 1},
                         nullptr);
}

}  // namespace detail

void write_into(const Team& team, int member, void* place, const void* data, size_t bytes) {
  if (team.is_here(member)) return copy(place, data, bytes);
  transport_to(team, member)
      .put(collective_context, address_of(team, member, place), data, bytes, Completion::blocking);
}

void read_from(const Team& team, int member, void* dest, const void* source, size_t bytes) {
  if (team.is_here(member)) return copy(dest, team.there(source, member), bytes);
  transport_to(team, member)
      .get(collective_context, dest, address_of(team, member, source), bytes, Completion::blocking);
}

void wake_members(const Team& team) {
  for (int member = 0; member < team.size; ++member)
    if (team.is_here(member)) notify(team.system_delta_of(member));
}

[[gnu::noinline]] static void await_flag_patiently(const Team& team, const Epoch& flag, uint64_t epoch,
                                                   WaitKind kind) {
  WaitReason reason{kind, &flag, sizeof flag, epoch, ">="};
  reason.ends_here = !team.spans_nodes;
  wait_longer(reason, [&] { return is_raised(flag, epoch); });
}

// Apart, so that spinning needs no memory but the flag.
void await_flag_longer(const Team& team, const Epoch& flag, uint64_t epoch, WaitKind kind) {
  if (!spin_until([&] { return is_raised(flag, epoch); })) await_flag_patiently(team, flag, epoch, kind);
}

}  // namespace atrium
