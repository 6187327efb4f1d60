// What ATRIUM_REPORT=1 prints at finalize.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace atrium::mpi {

class Plan;

// Takes over the tallies of a plan that is about to go.
void note_in_report(const Plan& plan);
// By rank 0 of the job, about the communicators that it was part of.
void print_report();

}  // namespace atrium::mpi
