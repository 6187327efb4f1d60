// Memory that the ranks of a node share.
// SPDX-License-Identifier: BSD-3-Clause
//
// Two implementations that have nothing in common but this interface:
//   sysv    System V shared memory, marked for removal before other ranks attach
//   window  MPI_Win_allocate_shared
// Invariants: no name is left in /dev/shm or ipcs, however the job ends; every rank sees the same bytes, at
// an address of its own that is a multiple of 4 KiB; the memory is not initialised.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <memory>
#include <string>

#include "settings/settings.hpp"

namespace atrium::mpi {

class NodeSegment {
 public:
  virtual ~NodeSegment() = default;  // collective over the node
  // Forgets what can only be freed collectively; the end of the process frees it.
  virtual void abandon() {}
  std::byte* base() const { return base_; }
  std::size_t size() const { return size_; }

 protected:
  std::byte* base_ = nullptr;
  std::size_t size_ = 0;
};

// All collective over `node`. Empty on every rank of the node if one of them could not get the memory; then
// `because` says why on that rank. `node` returns errors, and outlives the segment.
using Created = std::unique_ptr<NodeSegment>;
Created create_segment(NodeSegmentKind kind, MPI_Comm node, std::size_t size, std::string& because);
Created create_sysv_segment(MPI_Comm node, std::size_t size, std::string& because);
Created create_window_segment(MPI_Comm node, std::size_t size, std::string& because);

// Whether so much is left, of memory and of the container's limit. What is touched beyond ends a process, and the program has
// not asked for it.
bool is_left(std::size_t size);
inline constexpr const char* no_memory_left = "there is not so much memory left";

// True on all ranks if it is so on all of them.
bool all_of(MPI_Comm comm, bool mine);

}  // namespace atrium::mpi
