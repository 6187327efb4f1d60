// What is kept of communicators for later ones of the same ranks: programs make and free many that are alike.
// SPDX-License-Identifier: BSD-3-Clause
//
// An entry is no more than an offer. A communicator takes it if all its ranks have the same one, which they say by its number when
// they meet. So it does not matter in which order ranks free communicators, or which entries each of them has dropped.
// Thread safety: all of it may be called by several threads.
#pragma once

#include <memory>
#include <vector>

#include "comm/node_buffer.hpp"
#include "comm/rank_group.hpp"

namespace atrium::mpi {

// What this process offers to a communicator.
struct KnownGroup {
  std::shared_ptr<RankGroup> group;    // null: nothing is known
  std::unique_ptr<NodeBuffer> buffer;  // that no communicator uses; it refers to the group

  std::uint64_t number() const { return group ? group->number : 0; }
  std::uint64_t buffer_number() const { return buffer ? buffer->number() : 0; }
};

// `job_ranks`: the ranks of a communicator in MPI_COMM_WORLD, in their order.
KnownGroup take_known_group(const std::vector<int>& job_ranks);
void keep_group(const std::vector<int>& job_ranks, std::shared_ptr<RankGroup> group);
// Large buffers, and more than a few, are freed instead.
void keep_buffer(const std::vector<int>& job_ranks, std::unique_ptr<NodeBuffer> buffer);
// At the end of the program.
void drop_known_groups();

}  // namespace atrium::mpi
