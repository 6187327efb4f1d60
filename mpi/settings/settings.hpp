// What the user set: every variable of Atrium for MPI, read once per process, agreed on for each
// communicator.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include "settings/parse.hpp"

namespace atrium::mpi {

// Values that make no sense are left at their default: a drop-in does not end a program that ran without it.
const Settings& my_settings();

// Ranks of the whole job on this node, as the launchers of both MPIs say it; 0: none says so.
int ranks_started_here();

// What a communicator's ranks take from its rank 0, but for the file, which is each rank's own: the environment of others may
// differ, since launchers do not carry every variable to every host. Collective; a single broadcast.
Settings agree_on_settings(MPI_Comm comm);

// False before MPI_Init and after MPI_Finalize, also in a program that has opened sessions of MPI-4: it has no
// MPI_COMM_WORLD and no MPI_COMM_SELF then.
bool has_world();

// False for those two where there is no world: any question is an error under the question's name, and the
// error must name the call that the program made.
bool may_ask_about(MPI_Comm comm);

}  // namespace atrium::mpi
