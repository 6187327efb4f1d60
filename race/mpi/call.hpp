// One call of a routine of MPI, as its wrapper hands it to the check. The wrappers are made by wrappers.py.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "race/mpi/receives.hpp"

namespace atrium::race {

// What a routine orders. routines.tsv says which is which.
enum class OrderKind : uint8_t {
  any,   // nobody knows: all that was left in common is acquired, and what is known is left there
  wide,  // the same, but no message comes or goes that a receive would take

  // Operations between ranks (operations.hpp).
  meeting,     // a collective that all have entered before one leaves it
  from_root,   // a collective that brings something from the root to the others
  to_root,     // and one that brings something to the root
  upwards,     // and one that brings something from each rank to those above it
  neighbours,  // and one that brings something along the edges of a topology
  fence,       // a meeting of the ranks of a window
  send,        // to one rank
  send_met,    // which is complete when the receiver has come
  receive,     // from one rank, or any
  exchange,    // a send and a receive
  receive_matched,
  send_parts,  // a message that is given in parts
  receive_parts,
  make_window,  // a meeting: MPI_Win_allocate_shared

  start,         // of requests that were made before
  ready,         // parts of a message are given
  complete,      // of requests: one that is complete goes, or can be started again
  look,          // whether they are complete, and they stay
  cancel,        // a request
  free_request,  // whether it is complete or not
  probe,         // whether there is a message, and it stays
  match,         // the same, and the next receive of it is receive_matched
  lock,          // of a window
  unlock,
  epoch,   // both: post, start, complete, wait, flush
  remote,  // an access of the MPI's own to a window
  sync,    // MPI_Win_sync
  hints,   // of a communicator: orders nothing
  free_window,
  init,
  finalize,
  abort,
  session,  // MPI without MPI_Init
};

// An operation begins and is complete within the call; or it is completed later, by its request; or it is also started later.
enum class CallTiming : uint8_t { now, later, planned };

inline constexpr int no_rank = -12345;

struct MpiOperation;
using Operations = std::vector<std::shared_ptr<MpiOperation>>;

struct MpiCall {
  unsigned routine;  // its number among those that have a wrapper
  OrderKind kind;
  void* caller;
  MPI_Comm comm = MPI_COMM_NULL;
  CallTiming timing = CallTiming::now;
  MPI_Win win = MPI_WIN_NULL;
  int to = no_rank,
      from = no_rank;  // of the communicator; from: of a receive, or the root; to: also of a lock
  int tag = no_rank, received_tag = no_rank;
  int lock = MPI_LOCK_SHARED;
  MPI_Info info = MPI_INFO_NULL;
  const MPI_Request* requests = nullptr;  // `count` of them; null: it has none
  int count = 0;
  const MPI_Request* made = nullptr;    // that the routine has made, if it was successful
  const MPI_Comm* made_comm = nullptr;  // the same
  const MPI_Message* message = nullptr;
  // What the routine says when it has returned.
  const int* flag = nullptr;  // of a test
  const int *index = nullptr, *done_count = nullptr,
            *indices = nullptr;          // of the requests that are complete; null: all of them are
  const MPI_Status* statuses = nullptr;  // of those, in this order, or the only one

  // From before() to after().
  std::shared_ptr<MpiOperation> operation = nullptr;
  PostedReceives::Ticket looking = 0;  // of a probe, or of the receive that a match is
  std::vector<MPI_Request> requests_before = {};
  std::vector<Operations> claimed = {};  // those that each request may belong to

  bool is_true() const { return !flag || *flag != 0; }
};

void before(MpiCall& call);
// `win`: the window that the routine has made.
void after(const MpiCall& call, int status, MPI_Win win = MPI_WIN_NULL);

// While it is not 0, calls are another library's, within a call of the program's.
extern thread_local int nesting;

// Of wrappers.py: the names of the routines that have a wrapper.
extern const char* const mpi_routines[];
extern const unsigned mpi_routines_count;

}  // namespace atrium::race
