// Moving data to and from members on other nodes.
// SPDX-License-Identifier: BSD-3-Clause
#include "coll/steps/transfer.hpp"

namespace atrium {

namespace detail {

void put_away(const Team& team, int member, const void* place, const void* data, size_t bytes) {
  const int pe = team.world_pe(member);
  if (bytes > 0)
    away_to(pe).put(collective_context, remote_address(place, pe), data, bytes, Completion::nonblocking);
}

void get_away(const Team& team, int member, void* dest, const void* source, size_t bytes) {
  const int pe = team.world_pe(member);
  if (bytes > 0)
    away_to(pe).get(collective_context, dest, remote_address(source, pe), bytes, Completion::nonblocking);
}

void settle_away() { any_away().quiet(collective_context); }

}  // namespace detail

void Fetches::get_from(const Team& team, int member, void* dest, const void* source, size_t bytes) {
  const int pe = team.world_pe(member);
  if (bytes > 0) away_to(pe).get(context_, dest, remote_address(source, pe), bytes, Completion::nonblocking);
}

void Fetches::settle() {
  if (pending_on(context_) != 0) any_away().quiet(context_);
}

void put_with_flag_beside(const Team& team, int member, const void* place, const void* data, size_t bytes,
                          const FlagBeside& flag, Next next) {
  const int pe = flag.team.world_pe(flag.member);
  away_to(pe).raise(collective_context, remote_address(&flag.flag, pe), flag.epoch,
                    remote_address(place, team.world_pe(member)), data, bytes, next);
}

void put_strided_away(const Team& team, int member, void* place, const void* data, const Strides& strides) {
  const int pe = team.world_pe(member);
  away_to(pe).put_strided(collective_context, remote_address(place, pe), data, strides,
                          Completion::nonblocking);
}

void get_strided_away(const Team& team, int member, void* dest, const void* source, const Strides& strides) {
  const int pe = team.world_pe(member);
  away_to(pe).get_strided(collective_context, dest, remote_address(source, pe), strides,
                          Completion::nonblocking);
}

}  // namespace atrium
