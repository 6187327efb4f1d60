// The protocol in a node's shared memory: who has arrived, and what they say.
// SPDX-License-Identifier: BSD-3-Clause
//
//   | slot of rank 0 | slot of rank 1 | ... | notices | area 0 | area 1 |
//
// A slot is written by its owner only. What belongs to a call exists twice and is used in turn by even and
// odd calls, which is why one synchronisation per call is enough:
//   - a rank writes its half of call c + 2 only after it has seen everybody arrive in call c + 1,
//   - and who has arrived in call c + 1 has finished reading what belongs to call c.
// (In a broadcast only the root writes, and is waited for; the rank that writes next sees the others arrive in it first.)
// Invariant: all ranks of a node take the same steps, so that a step's number is the same everywhere.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "choice/call_header.hpp"
#include "choice/choice.hpp"

namespace atrium::mpi {

// Leaders send and receive an area in pieces of at most this: MPI counts the bytes in an int.
inline constexpr std::size_t largest_message = std::size_t{1} << 30;

inline constexpr int offers = most_bursts_agreed_on + 2;  // numbers that ranks agree on in one step

// What a rank says of a call, and its blocks too if they are that small: then a peer's arrival and its data
// cost one cache miss. Processors fetch lines in pairs, so the halves are two lines apart.
struct alignas(128) Half {
  std::atomic<std::uint64_t> arrived;  // steps this rank has reached
  CallHeader header;
  std::byte small[96];
};

struct alignas(128) RankSlot {
  Half half[2];
  std::atomic<int> cpu;                              // where this rank last ran; written when that changes
  alignas(64) std::atomic<std::uint64_t> delivered;  // calls whose messages this leader has received
  CallHeader strongest[2];
  alignas(64) double offered[2][offers];
  alignas(64) double agreed[2][offers];
};
static_assert(offsetof(Half, small) == 32 && sizeof(Half) == 128, "nothing but what is drawn here");
static_assert(std::atomic<std::uint64_t>::is_always_lock_free, "shared by processes");

}  // namespace atrium::mpi
