// Every variable of Atrium for MPI, and how its text is read. No MPI in it.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace atrium::mpi {

// As the variables' words.
enum class Mode { automatic, always, never };
enum class AllocMemory { shared, mpi };
enum class NodeSegmentKind { sysv, window };

struct Settings {
  Mode alltoall = Mode::automatic;   // ATRIUM_ALLTOALL=auto|always|never
  Mode allreduce = Mode::automatic;  // ATRIUM_ALLREDUCE
  Mode bcast = Mode::automatic;      // ATRIUM_BCAST
  Mode barrier = Mode::automatic;    // ATRIUM_BARRIER
  std::size_t limit = 0;             // ATRIUM_ALLTOALL_LIMIT: most bytes per pair; 0: measure instead
  Mode read = Mode::automatic;       // ATRIUM_MPI_READ: are large blocks read where the sender has them?
  AllocMemory alloc =
      AllocMemory::shared;  // ATRIUM_MPI_ALLOC: does MPI_Alloc_mem give memory that peers can map?
  NodeSegmentKind segment = NodeSegmentKind::sysv;  // ATRIUM_MPI_SEGMENT=sysv|window
  std::size_t buffer = std::size_t{1} << 28;  // ATRIUM_MPI_BUFFER: a communicator's shared memory on a node
  int node_ranks = 0;                         // ATRIUM_NODE_RANKS: ranks of a pretended node; 0: as MPI says
  int leaders = 1;                            // ATRIUM_MPI_LEADERS: ranks of a node that talk to other nodes
  bool report = false;                        // ATRIUM_REPORT: what was chosen, at finalize
  const char* file = nullptr;  // ATRIUM_ALLTOALL_FILE: where what was learned is kept, if anywhere

  bool operator==(const Settings&) const = default;
};

// Reads an environment by getenv(), or what a test has in its place; each bad value adds a message of four parts.
Settings parse_settings(char* (*get)(const char* name), std::vector<std::string>& messages);

}  // namespace atrium::mpi
