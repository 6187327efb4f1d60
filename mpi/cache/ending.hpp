// The communicators that are just being freed. All collectives on one of them are the MPI's: the attributes of the program may call
// some while they are deleted, and ranks need not have set them in the same order, nor before or after ours.
// SPDX-License-Identifier: BSD-3-Clause
//
// Thread safety: any thread may free any communicator, which no other thread uses then.
#pragma once

#include <mpi.h>

namespace atrium::mpi {

// By this thread, in an entry point of ours, for as long as this lives. What is called back may free others meanwhile.
class SeenEnd {
 public:
  explicit SeenEnd(MPI_Comm comm) : comm_(comm), outer_(innermost) { innermost = this; }
  ~SeenEnd() { innermost = outer_; }
  SeenEnd(const SeenEnd&) = delete;
  SeenEnd& operator=(const SeenEnd&) = delete;

  static bool is_of(MPI_Comm comm);

 private:
  static inline constinit thread_local const SeenEnd* innermost = nullptr;

  MPI_Comm comm_;
  const SeenEnd* outer_;
};

// For an end that did not come by our entry points, and which a deleted attribute tells of.
void mark_unseen_end(MPI_Comm comm);

bool is_ending(MPI_Comm comm);

}  // namespace atrium::mpi
