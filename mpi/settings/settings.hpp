// What the user set: every variable of Atrium for MPI, read once per process, agreed on for each
// communicator.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstddef>
#include <string>
#include <vector>

namespace atrium::mpi {

enum class Mode { automatic, always, never };
enum class SegmentKind { sysv, window };

struct Settings {
  Mode mode = Mode::automatic;              // ATRIUM_ALLTOALL=auto|always|never
  std::size_t limit = 0;                    // ATRIUM_ALLTOALL_LIMIT: most bytes per pair; 0: measure instead
  SegmentKind segment = SegmentKind::sysv;  // ATRIUM_MPI_SEGMENT=sysv|window
  std::size_t buffer = std::size_t{1} << 28;  // ATRIUM_MPI_BUFFER: a communicator's shared memory on a node
  int node_ranks = 0;                         // ATRIUM_NODE_RANKS: ranks of a pretended node; 0: as MPI says
  int leaders = 1;                            // ATRIUM_LEADERS: ranks of a node that talk to other nodes
  bool report = false;                        // ATRIUM_REPORT=1: what was chosen, at finalize

  bool operator==(const Settings&) const = default;
};

// Values that make no sense are left at their default: a drop-in does not end a program that ran without it.
const Settings& my_settings();

// Those of the communicator's rank 0, on all its ranks: the environment of others may differ, since launchers
// do not carry every variable to every host. Collective; a single broadcast.
Settings agreed_settings(MPI_Comm comm);

// False in a program that has opened sessions of MPI-4 and not called MPI_Init: it has no MPI_COMM_WORLD and
// no MPI_COMM_SELF.
bool has_world();

// Reads an environment, given as a function for tests; each bad value adds a message of four parts.
Settings parse_settings(const char* (*get)(const char* name), std::vector<std::string>& messages);

}  // namespace atrium::mpi
