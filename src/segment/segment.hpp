// The job's one shared memory: what every kind of segment can do.
// SPDX-License-Identifier: BSD-3-Clause
//
// Words.      *Kind*: memfd, posix or sysv, chosen by ATRIUM_SEGMENT. *Ticket*: two numbers with which another
//             process of the same user opens the segment; it is written into the lobby.
// Invariants. A segment reads as zeros where nothing was written. No name of it exists once `create_segment`
//             has returned. Offsets and lengths are whole pages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "core/result.hpp"

namespace atrium {

struct SegmentTicket {
  int64_t owner = 0;   // process id of the creator
  int64_t number = 0;  // its descriptor, or the System V id
};

class Segment {
 public:
  virtual ~Segment() = default;
  virtual SegmentTicket ticket() const = 0;

  // Maps [offset, offset + length) of each part shared, readable and writable, exactly at `where`, replacing what is there.
  struct Part {
    void* where;
    size_t length, offset;
  };
  virtual Result<void> map_each(std::span<const Part> parts) = 0;
  Result<void> map(void* where, size_t length, size_t offset) {
    const Part part{where, length, offset};
    return map_each({&part, 1});
  }

  // The same wherever there is room: its place. Requires: length > 0.
  virtual Result<void*> map_anywhere(size_t length, size_t offset) = 0;

  // Memory for [offset, offset + length) really exists when this succeeds: touching it
  // cannot raise SIGBUS. Does nothing where only the machine's memory limits the segment.
  virtual Result<void> commit(size_t length, size_t offset) = 0;

  // Gives the memory behind the range back, which then reads as zeros; false, and nothing
  // changes, where that cannot be.
  virtual bool discard(void* where, size_t length, size_t offset) = 0;

  // The first offset at or after `offset` and before `end` where something may have been written; `end` if there is none.
  virtual size_t next_data(size_t offset, size_t end) const = 0;
  // The first offset at or after `offset` and before `end` where a hole begins.
  virtual size_t next_hole(size_t offset, size_t end) const = 0;

  // Whether memory is scarcer than the machine's, as in a small /dev/shm: then blocks are committed when they are allocated.
  virtual bool is_bounded() const = 0;
};

using SegmentResult = Result<std::unique_ptr<Segment>>;

// `job_memory` is the descriptor that begins with the lobby; the memfd kind lives behind it.
struct SegmentKind {
  std::string_view name;  // as ATRIUM_SEGMENT and atrium-info say it
  SegmentResult (*create)(int job_memory, size_t bytes);
  // Opens a segment that the node's first PE created.
  SegmentResult (*attach)(int job_memory, SegmentTicket ticket);
};

// All that there are (segment/kinds.cpp). PEs name them by their place in this list.
std::span<const SegmentKind> segment_kinds();
// Requires: a name in the list.
const SegmentKind& segment_kind(std::string_view name);

}  // namespace atrium
