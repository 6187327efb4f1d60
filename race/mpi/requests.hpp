// What each request brings when it is complete, so that a wait orders only what it has waited for; and each matched message.
// SPDX-License-Identifier: BSD-3-Clause
//
// A request that nobody has noted may bring something from everybody. A handle that is noted again before it was complete, as MPICH
// gives one handle to all sends that are complete at once, brings what both do.
// Thread safety: all of it may be called by several threads.
#pragma once

#include <mpi.h>

#include <bitset>
#include <vector>

#include "race/model/job.hpp"
#include "race/mpi/messages.hpp"

namespace atrium::race {

// The letters of one message, and ranks of this node all of whose letters it brings, by their numbers.
struct Brought {
  std::bitset<most_pes> ranks;
  std::vector<Letter> letters;

  static Brought everything() { return {std::bitset<most_pes>().set(), {}}; }
  void add(const Brought& other);
};

void note_request(MPI_Request request, const Brought& brought);
void forget_request(MPI_Request request);
// What those bring together that a call has completed: they were `before` when it began and are null `now`. Where `now` is null they
// stay as they are, and any may be complete; so may those that nobody has noted, as persistent ones.
Brought brought_by(const MPI_Request* before, const MPI_Request* now, int count);
// They were `before` when the call began: those that are null now are complete.
void forget_requests(const MPI_Request* before, const MPI_Request* now, int count);

// A message that was matched and is yet to be received.
struct Matched {
  Brought brought;
  int sender;       // its number on the node, or elsewhere
  bool has_sender;  // not MPI_PROC_NULL
};
void note_match(MPI_Message message, const Matched& matched);
// It is received now. One that nobody has noted may be anybody's.
Matched take_match(MPI_Message message);

}  // namespace atrium::race
