// A team's block: the piece of each member's system memory through which its collectives run.
// SPDX-License-Identifier: BSD-3-Clause
//
//   offset  field            written by          meaning
//   0       barriers[32]     member 2^r before   last barrier at which it was (team/member_barrier.hpp)
//   256     arrivals         all, adding         member 0's: arrivals ever (central barrier)
//   384     released         one member          last sync that I may leave (central and tree barrier)
//   512     subtrees[4]      my children         last sync at which that child's subtree was (tree barrier)
//   640     acknowledgements all, adding         how often members have acknowledged that they have read my source
//   768     neighbours       my domain, adding   how often they have come to me, their leader (two-level)
//   896     notices[2]       me                  which collective I call (team/same_call.hpp): number % 2; of a
//                            another leader       team of leaders: which one that leader calls
//   1024    past_calls[8]    me                  the collectives that I have called (team/same_call.hpp): number % 8
//   1536    publications[2]  me                  what I publish about teams being made (team/member_barrier.hpp): number % 2
//   1584    past_calls_read  member after me     1 when it needs my past_calls no more, at the end of the team (team/same_call.hpp)
//   1600    last_call        member before me    its notice of the call that destroys the team (team/same_call.hpp)
//   1664    rounds[32]       member 2^r before   last sync at which it was (dissemination); 128 bytes each; in the first,
//                                                beside the flag, digests of its notices: number % 2
//   5760    eager_slots[8]   root or my parent   broadcasts: number % 8 selects the slot
//   6784    shares[2][2048]  me                  data that the others read: number % 2 selects the half
//   10880   exchange[2][n]   i writes [.][i]     exchanges: number % 2 selects the half; n <= 32 or 0
//
// Invariants. Zero-filled memory is a valid block on which nothing has happened, and so is one that was cleared. Every flag is an epoch: the
//             number of the step (TeamProgress) it belongs to. Flags grow, and a wait is for "this epoch or a
//             later one", so that a member may race one step ahead. A flag has one writer, or writers of
//             which the next one comes only when all members are past the epoch before. What a flag publishes
//             besides itself stands before it in program order (release), and is reused only when every
//             reader is known to be past it: see each step. A PE waits on its own block only, and a member that
//             leaves a sync has received everything that was sent to it: so a block may be freed after a
//             sync of the team, if nobody reads in others' blocks after it (team/same_call.hpp).
// No pointer is stored, and offsets only in publications.
#pragma once

#include <algorithm>
#include <atomic>
#include <climits>
#include <cstddef>
#include <cstdint>

namespace atrium {

inline constexpr int most_rounds = 32;            // dissemination: for as many members as an int can count
inline constexpr int tree_radix = 4;              // children of a member in trees
inline constexpr int ring_slots = 8;              // broadcasts that may be on their way at once
inline constexpr size_t share_bytes = 2048;       // docs/design/collectives.md: to here everyone reduces all
inline constexpr int most_exchange_members = 32;  // beyond, P x P lines cost more than a sync and P reads
inline constexpr int past_calls_kept = 8;         // for a message
inline constexpr size_t payload_bytes = 112;      // 128, less the flag, aligned for every type

// In each round of a dissemination a member knows of twice as many.
inline constexpr int rounds_of(int members) {
  int rounds = 0;
  while ((int64_t{1} << rounds) < members) ++rounds;
  return rounds;
}
static_assert(rounds_of(INT_MAX) <= most_rounds, "a flag of a further round would lie on the next field");

using Epoch = std::atomic<uint64_t>;
static_assert(Epoch::is_always_lock_free && sizeof(Epoch) == 8, "epochs are shared between processes");

// 128 bytes: two cache lines, because processors fetch lines in pairs.
struct alignas(128) EpochLine {
  Epoch epoch;
  std::atomic<uint64_t> digests[2];  // in rounds[0] (team/same_call.hpp)
};

// Small data travels with its flag.
struct alignas(128) EagerSlot {
  Epoch epoch;  // written last
  alignas(16) std::byte payload[payload_bytes];
};

// What a member publishes while teams are being made: where its new blocks lie, or that it could not make them.
struct Publication {
  int64_t
      offset[2];  // of the new team's block in system memory, or no_block; split_2d makes two teams at once
  uint64_t refused;
};
inline constexpr int64_t no_block = INT64_MIN;  // of a team that this PE is no member of

// What a member calls, and which of its notices that is (team/same_call.hpp).
struct alignas(64) Notice {
  uint64_t routine;
  uint64_t bytes;
  int64_t which;
  int64_t loop;
  uint64_t caller;  // whence the call comes (check/caller.hpp); may differ
  uint64_t number;
  uint64_t history;       // of the collectives before it (TeamProgress)
  uint32_t syncs, calls;  // how many of them there were, modulo 2^32 (TeamProgress)
};

// What stands before the slots comes first, because that is what has to be zero (clear_block), and what a short job touches.
struct TeamBlock {
  Epoch barriers[most_rounds];
  EpochLine arrivals;
  EpochLine released;
  alignas(128) Epoch subtrees[tree_radix];
  EpochLine acknowledgements;
  EpochLine neighbours;
  alignas(128) Notice notices[2];
  Notice past_calls[past_calls_kept];
  alignas(128) Publication publications[2];
  Epoch past_calls_read;
  Notice last_call;
  EpochLine rounds[most_rounds];
  EagerSlot eager_slots[ring_slots];
  alignas(128) std::byte shares[2][share_bytes];

  EagerSlot& exchange_slot(int half, int members, int from) {
    return reinterpret_cast<EagerSlot*>(this + 1)[half * members + from];
  }
};

static_assert(offsetof(TeamBlock, arrivals) == 256 && offsetof(TeamBlock, released) == 384 &&
                  offsetof(TeamBlock, subtrees) == 512 && offsetof(TeamBlock, acknowledgements) == 640 &&
                  offsetof(TeamBlock, neighbours) == 768 && offsetof(TeamBlock, notices) == 896 &&
                  offsetof(TeamBlock, past_calls) == 1024 && offsetof(TeamBlock, publications) == 1536 &&
                  offsetof(TeamBlock, past_calls_read) == 1584 && offsetof(TeamBlock, last_call) == 1600 &&
                  offsetof(TeamBlock, rounds) == 1664 && offsetof(TeamBlock, eager_slots) == 5760 &&
                  offsetof(TeamBlock, shares) == 6784 && sizeof(TeamBlock) == 10880,
              "the layout is drawn above, and processes of one job share it");
static_assert(sizeof(EagerSlot) == 128, "small data and its flag are one line pair");

inline constexpr bool has_exchange(int members) { return members <= most_exchange_members; }

inline constexpr size_t exchange_bytes(int members) {
  return has_exchange(members) ? 2 * static_cast<size_t>(members) * sizeof(EagerSlot) : 0;
}

inline constexpr size_t block_bytes(int members) { return sizeof(TeamBlock) + exchange_bytes(members); }

// Makes a block of memory whose first `written` bytes may hold what was there before, and the others zero: what is read before it is
// written. Payloads and shares are not, nor rounds that so few members do not have.
void clear_block(TeamBlock& block, int members, size_t written);

// Bytes for any team of up to so many members: one of 32 has slots for exchanges, and needs more than one of 33.
inline constexpr size_t block_bytes_up_to(int most_members) {
  return std::max(block_bytes(most_members), block_bytes(std::min(most_members, most_exchange_members)));
}

}  // namespace atrium
