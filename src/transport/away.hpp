// Operations on the memory of PEs that are away: what Atrium asks of whatever carries them to another node.
// SPDX-License-Identifier: BSD-3-Clause
//
// This is the seam between the operations above and the network below. A job whose PEs are all here has no
// away transport, and its only cost is a comparison per call of the library. Everything has lost its type when it
// comes here: bytes, or a word of 2, 4 or 8 bytes as an integer.
//
// Words.      *Issued*: taken over by the transport, which may still be on its way when the call returns.
//             *Complete*: done at the target, by its node's CPU or confirmed by it, so that every PE of that
//             node sees it. A `context` counts what it has issued and what is not yet complete in its
//             `pending` (transport/pending.hpp); the transport raises the count when it takes an operation and
//             lowers it when that is complete, from whichever thread learns it.
// Contract.   Targets are away, and inside symmetric memory: the caller has checked it (a transport that finds an
//             address outside its layout ends the job). Sources and dests may be any memory of mine.
//             A blocking put returns when its source may be used again, a blocking get or fetch when the value is
//             there. Nonblocking ones promise both for the return of quiet. Zero bytes are no operation.
//             The target's node executes a word of 2, 4 or 8 aligned bytes as one store, and atomics with the
//             instructions that its own PEs use, so that they are atomic together. What is executed wakes
//             sleepers of the target PE as a store from next door does.
//             `fence(ctx)` orders what the context has issued to each PE before what it issues later to that PE;
//             `raise` and the signal of `put_signal` are issued behind everything that their own context has
//             issued to that PE, without a fence. `quiet(ctx)` returns when nothing of the context is pending.
//             Calls may move the network on, and what waits in wait_for does (wait/wait.hpp), but a transport
//             must not need it: a PE that never calls is still a target.
// Threads.    Any number may call at once. Nothing is called back.
// Errors.     No call returns one: what cannot be done ends the job with a message that names the node.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "shmem/types.h"
#include "transport/address.hpp"
#include "wire/operation.hpp"

namespace atrium {

// In bytes but for the count of blocks; block i lies at dest + i * dest_step and source + i * source_step.
struct Strides {
  ptrdiff_t dest_step;
  ptrdiff_t source_step;
  size_t block;
  size_t count;
};

enum class Completion : bool { nonblocking, blocking };

class AwayTransport {
 public:
  virtual ~AwayTransport() = default;

  virtual void put(atrium_context& ctx, const RemoteAddress& dest, const void* source, size_t bytes,
                   Completion how) = 0;
  virtual void get(atrium_context& ctx, void* dest, const RemoteAddress& source, size_t bytes,
                   Completion how) = 0;
  virtual void put_strided(atrium_context& ctx, const RemoteAddress& dest, const void* source,
                           const Strides& strides, Completion how) = 0;
  virtual void get_strided(atrium_context& ctx, void* dest, const RemoteAddress& source,
                           const Strides& strides, Completion how) = 0;

  // The old value comes back, or is written to `old` (`width` bytes of it) when the operation completes; without
  // `old` nobody asks for it.
  virtual uint64_t change_word(atrium_context& ctx, const RemoteAddress& word, const WordChange& change) = 0;
  virtual void change_word_later(atrium_context& ctx, const RemoteAddress& word, const WordChange& change,
                                 void* old) = 0;

  // The signal (set or add of 8 bytes) is seen after all of the data is.
  virtual void put_signal(atrium_context& ctx, const RemoteAddress& dest, const void* source, size_t bytes,
                          const RemoteAddress& signal, const WordChange& change, Completion how) = 0;
  // A release store of 8 bytes behind `bytes` of data (messages of collectives), which may be none. Blocking: the source
  // may be used again at return.
  virtual void raise(atrium_context& ctx, const RemoteAddress& flag, uint64_t epoch,
                     const RemoteAddress& dest, const void* source, size_t bytes, Next next) = 0;

  virtual void fence(atrium_context& ctx) = 0;
  virtual void quiet(atrium_context& ctx) = 0;
  // The same for what goes to these PEs (numbers in the job) alone.
  virtual void quiet(atrium_context& ctx, std::span<const int> pes) = 0;
};

namespace detail {
extern AwayTransport* away_transport;
}
// Null: every PE is here. Called by the job, while no operation is under way.
void set_away_transport(AwayTransport* transport);

// What collectives and the making of teams issue between nodes is counted here.
extern atrium_context collective_context;

// Of this job. One that has none ends with a message: it has met a PE that nothing leads to.
AwayTransport& away_to(int pe);
// Of a job that has one, because something is pending.
inline AwayTransport& any_away() { return *detail::away_transport; }

}  // namespace atrium
