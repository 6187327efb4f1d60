// The processes that MPI_Init started together: the job.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <vector>

namespace atrium::mpi {

// False before MPI_Init and after MPI_Finalize, also in a program that has opened sessions of MPI-4: it has no
// MPI_COMM_WORLD and no MPI_COMM_SELF then.
bool has_world();

// Several threads of this process may call the MPI at the same time.
bool has_threads();

// What the first `count` ranks of a communicator are in another one; MPI_UNDEFINED where they are not in it. Local.
std::vector<int> ranks_elsewhere(MPI_Comm comm, int count, MPI_Comm elsewhere);
// The ranks in MPI_COMM_WORLD of the communicator's processes, by rank; empty if one of them is of another job, or there is no
// MPI_COMM_WORLD. Local, and empty on all ranks or on none.
std::vector<int> ranks_in_job(MPI_Comm comm);

// Of this job.
int ranks_of_job();

// The rank of this process in the job, and the job's ranks on this node, as the launchers of both MPIs and Slurm say it, without
// the MPI and also when it has ended; 0: none says so. Then the number of this one among those; -1: none says so.
int rank_by_launcher();
int ranks_started_here();
int rank_started_here();

}  // namespace atrium::mpi
