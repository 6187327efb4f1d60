// The protocol in a node's shared memory: who has arrived, and what they say.
// SPDX-License-Identifier: BSD-3-Clause
//
//   | seat of rank 0 | seat of rank 1 | ... | notices | area 0 | area 1 |
//
// A seat is written by its owner only. What belongs to a call exists twice and is used in turn by even and
// odd calls, which is why one synchronisation per call is enough:
//   - a rank writes its half of call c + 2 only after it has seen everybody arrive in call c + 1,
//   - and who has arrived in call c + 1 has finished reading what belongs to call c.
// Invariant: all ranks of a node take the same steps, so that a step's number is the same everywhere.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace atrium::mpi {

enum class Verdict : std::uint64_t {
  go = 0,    // the data is there
  torn = 1,  // a message was longer than the receivers' counts: their error, which other nodes do not hear of
  // A node expects that the MPI's routine will run, and has said no more than how large the call is.
  absent = 2,
  pass = 3,    // a rank could not pack its data
  narrow = 4,  // the buffers are too small: `need` says how much is wanted
};

// What a rank says of a call before the others read its data; for a node, what its leaders heard from others.
struct Card {
  Verdict verdict;
  std::uint64_t need;    // bytes that a rank's share of the buffer must have
  std::uint64_t widest;  // bytes per pair, in the mean, of the rank that sends most: the call's size class
};

// Leaders send and receive an area in pieces of at most this: MPI counts the bytes in an int.
inline constexpr std::size_t largest_message = std::size_t{1} << 30;

inline constexpr int offers = 4;  // numbers that ranks agree on in one step

// What a rank says of a call, and its blocks too if they are that small: then a peer's arrival and its data
// cost one cache miss. Processors fetch lines in pairs, so the halves are two lines apart.
struct alignas(128) Half {
  std::atomic<std::uint64_t> arrived;  // steps this rank has reached
  Card card;
  std::byte small[96];
};

struct alignas(128) Seat {
  Half half[2];
  std::atomic<int> cpu;                              // where this rank last ran; written when that changes
  alignas(64) std::atomic<std::uint64_t> delivered;  // calls whose messages this leader has received
  Card heard[2];
  alignas(64) double offered[2][offers];
  alignas(64) double agreed[2][offers];
};
static_assert(offsetof(Half, small) == 32 && sizeof(Half) == 128, "nothing but what is drawn here");
static_assert(std::atomic<std::uint64_t>::is_always_lock_free, "shared by processes");

}  // namespace atrium::mpi
