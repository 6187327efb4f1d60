// One call of a routine of MPI, as its wrapper hands it to the check. The wrappers are made by wrappers.py.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstdint>

namespace atrium::race {

// What a routine orders. routines.tsv says which is which.
enum class OrderKind : uint8_t {
  any,             // nobody knows: all that was left in common is acquired, and what is known is left there
  wide,            // the same, but no message comes or goes that a receive would take
  meeting,         // a collective that all have entered before one leaves it
  from_root,       // a collective that brings something from the root to the others
  to_root,         // and one that brings something to the root
  start,           // a collective that is completed later
  send,            // to one rank
  send_met,        // which returns when the receiver has come
  start_send,      // which is completed later, and then says nothing of the receiver
  start_send_met,  // and then says that the receiver has come
  receive,         // from one rank, or any
  await,           // a receive that is completed later
  exchange,        // a send and a receive
  complete,        // of what was started: a request that is complete goes
  look,            // whether it is complete, and it stays
  probe,           // whether there is a message, and it stays
  match,           // the same, and the next receive of it is one of the two below
  receive_matched,
  await_matched,  // which is completed later
  fence,          // a meeting of the ranks of a window
  lock,           // of a window
  unlock,
  epoch,        // both: post, start, complete, wait, flush
  remote,       // an access of the MPI's own to a window
  sync,         // MPI_Win_sync
  make_window,  // MPI_Win_allocate_shared
  free_window,
  init,
  finalize,
  abort,
  session,  // MPI without MPI_Init
};

inline constexpr int no_rank = -12345;

struct MpiCall {
  unsigned routine;  // its number among those that have a wrapper
  OrderKind kind;
  void* caller;
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Win win = MPI_WIN_NULL;
  int to = no_rank,
      from = no_rank;  // of the communicator; from: of a receive, or the root; to: also of a lock
  int tag = no_rank, received_tag = no_rank;
  int lock = MPI_LOCK_SHARED;
  const MPI_Request* requests = nullptr;  // `count` of them, of complete; null: it has none
  int count = 0;
  const MPI_Request* made = nullptr;  // that the routine has made, if it was successful
  const MPI_Message* message = nullptr;
  const int* flag = nullptr;                            // of a test
  bool is_true() const { return !flag || *flag != 0; }  // when the routine has returned
};

// The status of a receive: where the message came from.
inline void note_source(MpiCall& call, const MPI_Status& status) {
  call.from = status.MPI_SOURCE, call.received_tag = status.MPI_TAG;
}

void before(const MpiCall& call);
// `win`: the window that the routine has made.
void after(const MpiCall& call, int status, MPI_Win win = MPI_WIN_NULL);

// While it is not 0, calls are another library's, within a call of the program's.
extern thread_local int nesting;

// Of wrappers.py: the names of the routines that have a wrapper.
extern const char* const mpi_routines[];
extern const unsigned mpi_routines_count;

}  // namespace atrium::race
