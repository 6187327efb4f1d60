// What both kinds of segments need, and the choice between them.
// SPDX-License-Identifier: BSD-3-Clause
#include <unistd.h>

#include <atomic>

#include "atrium_machine.h"
#include "segment/segment.hpp"

namespace atrium::mpi {

Created create_segment(NodeSegmentKind kind, const SegmentRanks& ranks, std::size_t size,
                       std::string& because) {
  return kind == NodeSegmentKind::sysv ? create_sysv_segment(ranks, size, because)
                                       : create_window_segment(ranks.node, size, because);
}

std::uint64_t next_mark() {
  static std::atomic<std::uint64_t> count{0};
  return static_cast<std::uint64_t>(atrium_now_ns()) ^ static_cast<std::uint64_t>(getpid()) << 40 ^
         count.fetch_add(1, std::memory_order_relaxed) << 56;
}

bool is_left(std::size_t size) { return size <= atrium_memory_left(); }

bool all_of(MPI_Comm comm, bool mine) {
  int all = mine;
  return PMPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, comm) == MPI_SUCCESS && all;
}

}  // namespace atrium::mpi
