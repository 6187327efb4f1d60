// A segment behind a descriptor: memfd and POSIX shared memory differ only in how the descriptor is obtained.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>

#include "os/known_file.hpp"
#include "segment/segment.hpp"

namespace atrium {

class FileSegment final : public Segment {
 public:
  // The descriptor of the job's memory stays the caller's; others are `owned`. Where the program closes it, what needs it fails.
  FileSegment(int descriptor, bool owned, SegmentTicket ticket);
  ~FileSegment() override;

  SegmentTicket ticket() const override { return ticket_; }
  Result<void> map_each(std::span<const Part> parts) override;
  Result<void*> map_anywhere(size_t length, size_t offset) override;
  Result<void> commit(size_t length, size_t offset) override;
  bool discard(void* where, size_t length, size_t offset) override;
  size_t next_data(size_t offset, size_t end) const override;
  size_t next_hole(size_t offset, size_t end) const override;
  bool is_bounded() const override { return bounded_; }

 private:
  void* map_file(void* where, size_t length, size_t offset, int flags) const;

  KnownFile file_;
  bool owned_;
  SegmentTicket ticket_;
  bool bounded_;
};

}  // namespace atrium
