// Raising a flag in a member's block and waiting for one in my own: what every step is made of.
// SPDX-License-Identifier: BSD-3-Clause
//
// A flag is named by its field, and by an index where the field is an array:
//
//   raise(team, member, &TeamBlock::released, epoch);
//   raise(team, member, &TeamBlock::rounds, round, epoch);
//   await(team, &TeamBlock::rounds, round, epoch, WaitKind::barrier);
//
// so the same step runs where the member is here (a store) and where it is on another node (a record of the
// transport, behind everything that was sent to it before).
#pragma once

#include "copy/copy.hpp"
#include "team/block.hpp"
#include "team/team.hpp"
#include "wait/wait.hpp"
#include "wire/operation.hpp"

namespace atrium {

inline Epoch& flag_in(TeamBlock& block, EpochLine TeamBlock::*field) { return (block.*field).epoch; }
template <size_t N>
Epoch& flag_in(TeamBlock& block, EpochLine (TeamBlock::*field)[N], int i) {
  return (block.*field)[i].epoch;
}
template <size_t N>
Epoch& flag_in(TeamBlock& block, Epoch (TeamBlock::*field)[N], int i) {
  return (block.*field)[i];
}

namespace detail {
// The same for members on other nodes.
void raise_away(const Team& team, int member, const Epoch& flag, uint64_t epoch, const void* place,
                const void* data, size_t bytes, Next next = Next::unknown);
// ... with data that may not be used again before all of the collective context is settled (coll/steps/transfer.hpp).
void raise_away_later(const Team& team, int member, const Epoch& flag, uint64_t epoch, const void* place,
                      const void* data, size_t bytes);
uint64_t count_away(const Team& team, int member, const Epoch& counter);
void add_away(const Team& team, int member, const Epoch& counter);

// `flag` lies in that member's block, or where my addresses lead to it (Team::block_of). Everything I wrote before
// is visible to the member that sees it.
inline void raise_at(const Team& team, int member, Epoch& flag, uint64_t epoch) {
  if (!team.is_here(member)) return raise_away(team, member, flag, epoch, nullptr, nullptr, 0);
  flag.store(epoch, std::memory_order_release);  // SYNC epoch
  notify(team.system_delta_of(member));
}

inline uint64_t count_here(const Team& team, int member, Epoch& counter) {
  const uint64_t count = counter.fetch_add(1, std::memory_order_acq_rel) + 1;  // SYNC epoch
  notify(team.system_delta_of(member));
  return count;
}
}  // namespace detail

template <class Field>
void raise(const Team& team, int member, Field field, uint64_t epoch) {
  detail::raise_at(team, member, flag_in(team.block_of(member), field), epoch);
}
template <class Field>
void raise(const Team& team, int member, Field field, int i, uint64_t epoch) {
  detail::raise_at(team, member, flag_in(team.block_of(member), field, i), epoch);
}

// Data and the flag behind it, in one message. Both places lie in that member's block.
inline void send_with_flag(const Team& team, int member, Epoch& flag, uint64_t epoch, void* place,
                           const void* data, size_t bytes) {
  if (!team.is_here(member)) return detail::raise_away(team, member, flag, epoch, place, data, bytes);
  if (bytes > 0) copy(place, data, bytes);
  detail::raise_at(team, member, flag, epoch);
}

// Requires: bytes <= payload_bytes.
inline void send_eagerly(const Team& team, int member, EagerSlot& slot, uint64_t epoch, const void* data,
                         size_t bytes) {
  send_with_flag(team, member, slot.epoch, epoch, slot.payload, data, bytes);
}

// Writes into that member's block, to be seen by a reader that sees a flag which I raise there afterwards.
void write_into(const Team& team, int member, void* place, const void* data, size_t bytes);

// Copies what a member has at `source`, my address of it.
void read_from(const Team& team, int member, void* dest, const void* source, size_t bytes);
// Members that are here look again at whatever they wait for.
void wake_members(const Team& team);

// Adds one to a counter in a member's block and returns the new count.
inline uint64_t count_at(const Team& team, int member, EpochLine TeamBlock::*field) {
  Epoch& counter = flag_in(team.block_of(member), field);
  return team.is_here(member) ? detail::count_here(team, member, counter)
                              : detail::count_away(team, member, counter);
}
// The same for who does not ask for it.
inline void add_at(const Team& team, int member, EpochLine TeamBlock::*field) {
  Epoch& counter = flag_in(team.block_of(member), field);
  if (team.is_here(member))
    detail::count_here(team, member, counter);
  else
    detail::add_away(team, member, counter);
}
// The same for a counter outside of blocks, of a member on another node. `mine` is my own copy of it.
inline void add_to(const Team& team, int member, const Epoch& mine) { detail::add_away(team, member, mine); }

inline bool is_raised(const Epoch& flag, uint64_t epoch) {
  return flag.load(std::memory_order_acquire) >= epoch;  // SYNC epoch
}

// The rest of await_flag, out of its way: a reason takes longer to write down than a line to arrive.
void await_flag_longer(const Team& team, const Epoch& flag, uint64_t epoch, WaitKind kind);

// Waits for this epoch or a later one. `flag` lies in my own block.
inline void await_flag(const Team& team, const Epoch& flag, uint64_t epoch,
                       WaitKind kind = WaitKind::collective) {
  if (!is_raised(flag, epoch)) await_flag_longer(team, flag, epoch, kind);
}
template <class Field>
void await(const Team& team, Field field, uint64_t epoch, WaitKind kind) {
  await_flag(team, flag_in(team.my_block(), field), epoch, kind);
}
template <class Field>
void await(const Team& team, Field field, int i, uint64_t epoch, WaitKind kind) {
  await_flag(team, flag_in(team.my_block(), field, i), epoch, kind);
}

}  // namespace atrium
