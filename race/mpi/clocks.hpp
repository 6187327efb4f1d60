// What ranks of the node leave for each other beside windows and words: one nameless file for all of them.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>

#include "race/model/strand.hpp"
#include "race/mpi/mailbox.hpp"

namespace atrium::race {

// Groups whose names fall together share a place: they then order more than they should, and never less.
inline constexpr size_t group_places = 512, window_places = 256;

// Places are used by turns, by the number of the meeting or post. What is found in one is never less than what was left there for
// that number, and no more as long as nobody is so many ahead. Nothing is taken back.
inline constexpr size_t turns = 8;

struct MpiClocks {
  std::atomic<uint32_t> windows;  // made on this node
  Common everyone;                // what went to ranks of other nodes, or to nobody knows whom
  // Collectives in which each waits for each, by turns; behind them one for what others leave without a place for it.
  Common group[group_places][turns + 1];
  // What was left at the ends of exclusive locks, at posts and their like, and at the ends of shared locks.
  Common window[window_places][2];
  struct Letters {
    Common messages, posts[turns];  // `messages`: all of them together (messages.hpp)
    Common receives;                // that a rank has begun, for senders that wait for them
    bool has_uncounted;             // guarded by the lock of `messages`
  } letters[];                      // for each rank, from each rank; behind them is a mailbox for each rank
};

extern MpiClocks* clocks;

size_t bytes_of_clocks(int ranks);
inline MpiClocks::Letters& letters(int to, int from) {
  return clocks->letters[static_cast<size_t>(to) * static_cast<size_t>(job.pes) + static_cast<size_t>(from)];
}
inline Common& letter(int to, int from) { return letters(to, from).messages; }
inline Common& begun_receives(int to, int from) { return letters(to, from).receives; }
inline Mailbox& mailbox(int of) { return reinterpret_cast<Mailbox*>(&letters(job.pes, 0))[of]; }
inline Common& post(int to, int from, uint64_t number) { return letters(to, from).posts[number % turns]; }

// Requires of several releases in a row: end_release() behind the last of them.
void release(const Strand& strand, Common& to);
inline void end_release(Strand& strand) { strand.advance(); }
void acquire(Strand& strand, Common& from, uint64_t origin);

}  // namespace atrium::race
