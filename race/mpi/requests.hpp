// The operation of each request that is not complete, or is persistent; and the letter of each matched message.
// SPDX-License-Identifier: BSD-3-Clause
//
// Several requests may have one handle, as MPICH gives one to all sends that are complete at once, and one of them may have gone unseen. So
// the operations of a handle are all that it may belong to, in the order in which they were noted.
// When a request is complete the MPI may give its handle to another thread's, before the call that has found it complete returns. So a call
// claims the operations of its requests before it begins, and a request is never taken for one that another call has claimed.
// Thread safety: all of it may be called by several threads.
#pragma once

#include <mpi.h>

#include <memory>

#include "race/mpi/operations.hpp"

namespace atrium::race {

void note_request(MPI_Request request, std::shared_ptr<MpiOperation> operation);
// Whatever has this handle from now on, nobody knows it.
void forget_request(MPI_Request request);
// For a call that begins, until end_claim(). None: there is no such request. Of one that nobody has noted, the operation is not known.
Operations claim_operations(MPI_Request request);
void end_claim(const Operations& claimed);
// The first of those claimed is complete, and goes if it is not persistent; the program frees it.
void end_request(MPI_Request request, const Operations& claimed);
void free_request(MPI_Request request, const Operations& claimed);

// A message that was matched and is yet to be received; one that nobody has noted may be anybody's.
void note_match(MPI_Message message, const Letter& letter);
Letter take_match(MPI_Message message);

}  // namespace atrium::race
