// A System V segment: for kernels and sandboxes where descriptors of shared memory cannot be had.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "segment/segment.hpp"

namespace atrium {

// shmat() attaches a whole segment only; mremap() with an old size of zero then makes further mappings of its parts.
class SysvSegment final : public Segment {
 public:
  SysvSegment(SegmentTicket ticket, std::byte* whole) : ticket_(ticket), whole_(whole) {}
  ~SysvSegment() override;

  SegmentTicket ticket() const override { return ticket_; }
  Result<void> map_each(std::span<const Part> parts) override;
  Result<void*> map_anywhere(size_t length, size_t offset) override;
  Result<void> commit(size_t, size_t) override { return {}; }
  bool discard(void* where, size_t length, size_t offset) override;
  size_t next_data(size_t offset, size_t) const override {
    return offset;
  }  // not known: all of it may be data
  size_t next_hole(size_t, size_t end) const override { return end; }
  bool is_bounded() const override { return false; }

 private:
  void* map_part(void* where, size_t length, size_t offset, int flags) const;

  SegmentTicket ticket_;
  std::byte* whole_;
};

Result<std::unique_ptr<Segment>> create_sysv_segment(size_t bytes);
Result<std::unique_ptr<Segment>> attach_sysv_segment(SegmentTicket ticket);

}  // namespace atrium
