// Counts what was intercepted and what it cost, which ATRIUM_REPORT=1 prints at MPI_Finalize.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <atomic>
#include <cstdint>
#include <vector>

namespace atrium::mpi {

class CommState;

// What a state that is about to go has counted, added up over its ranks. Collective over its communicator if
// there is to be a report: first notes are begun, in any order of states, then they are filed.
class Note {
 public:
  explicit Note(CommState& state);
  void file();
  Note(const Note&) = delete;
  Note& operator=(const Note&) = delete;

 private:
  CommState& state_;
  std::vector<std::uint64_t> sums_;  // the bytes of each record, and last the ranks that were set otherwise
  MPI_Request request_ = MPI_REQUEST_NULL;
};

// Of this rank: persistent requests whose starts may go Atrium's way, those that are the MPI's, and what was started.
struct StartedTally {
  std::atomic<std::uint64_t> own_requests{0}, mpi_requests{0}, starts{0}, own_starts{0};
};
StartedTally& started_tally();

// By rank 0 of the job, about the communicators that it was part of, and by the rank 0 of others. One line where there is
// nothing to say; of a rank 0 that never met the library it comes when the process ends.
void print_report();

}  // namespace atrium::mpi
