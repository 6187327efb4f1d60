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
#include <cstdint>
#include <memory>
#include <string>

#include "settings/settings.hpp"

namespace atrium::mpi {

// So many bytes and what is left of their last page of 4 KiB.
constexpr std::size_t whole_pages(std::size_t bytes) { return (bytes + 4095) & ~std::size_t{4095}; }

class NodeSegment {
 public:
  virtual ~NodeSegment() = default;  // collective over the node
  // Forgets what can only be freed collectively; the end of the process frees it.
  virtual void abandon() {}
  std::byte* base() const { return base_; }
  std::size_t size() const { return size_; }
  // The same on all ranks of all nodes, and no other segment's; 0 where it is freed collectively.
  std::uint64_t number() const { return number_; }

 protected:
  std::uint64_t number_ = 0;
  std::byte* base_ = nullptr;
  std::size_t size_ = 0;
};

// Who shares a segment.
struct SegmentRanks {
  MPI_Comm comm;     // all ranks, of all nodes
  int first;         // of my node
  bool on_one_node;  // all of them
  MPI_Comm node;     // of my node; for windows
};

// All collective over the communicator of all nodes, and for a window over that of the node. Empty on a rank that could not get
// the memory; then `because` says why. It is used once all have got it.
using Created = std::unique_ptr<NodeSegment>;
Created create_segment(NodeSegmentKind kind, const SegmentRanks& ranks, std::size_t size,
                       std::string& because);
Created create_sysv_segment(const SegmentRanks& ranks, std::size_t size, std::string& because);
Created create_window_segment(MPI_Comm node, std::size_t size, std::string& because);

// A number that no other process and no other call has.
std::uint64_t next_mark();

// Whether so much is left, of memory and of the container's limit. What is touched beyond ends a process, and the program has
// not asked for it.
bool is_left(std::size_t size);
inline constexpr const char* no_memory_left = "there is not so much memory left";

// True on all ranks if it is so on all of them.
bool all_of(MPI_Comm comm, bool mine);

}  // namespace atrium::mpi
