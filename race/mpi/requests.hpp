// The operation of each request that is not complete, or is persistent; and the letter of each matched message.
// SPDX-License-Identifier: BSD-3-Clause
//
// Several requests may have one handle, as MPICH gives one to all sends that are complete at once, and one of them may have gone unseen. So
// the operations of a handle are all that it may belong to, in the order in which they were noted.
// Thread safety: all of it may be called by several threads.
#pragma once

#include <mpi.h>

#include <memory>
#include <vector>

#include "race/mpi/operations.hpp"

namespace atrium::race {

void note_request(MPI_Request request, std::shared_ptr<MpiOperation> operation);
// Whatever has this handle from now on, nobody knows it.
void forget_request(MPI_Request request);
// None: there is no such request. Of one that nobody has noted, the operation is not known.
std::vector<std::shared_ptr<MpiOperation>> operations_of(MPI_Request request);
// The first of them is complete, and goes if it is not persistent; the program frees it.
void end_request(MPI_Request request);
void free_request(MPI_Request request);

// A message that was matched and is yet to be received; one that nobody has noted may be anybody's.
void note_match(MPI_Message message, const Letter& letter);
Letter take_match(MPI_Message message);

}  // namespace atrium::race
