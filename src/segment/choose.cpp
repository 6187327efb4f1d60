// Which kind of segment: the one place that knows all of them.
// SPDX-License-Identifier: BSD-3-Clause
#include <unistd.h>

#include "os/job_memory.hpp"
#include "os/peer_descriptor.hpp"
#include "segment/file_segment.hpp"
#include "segment/segment.hpp"
#include "segment/sysv_segment.hpp"

namespace atrium {
namespace {

using SegmentResult = Result<std::unique_ptr<Segment>>;

SegmentResult file_segment(int descriptor, bool owned, SegmentTicket ticket) {
  return std::unique_ptr<Segment>(new FileSegment(descriptor, owned, ticket));
}

SegmentResult create_in_job_memory(int job_memory, size_t bytes) {
  if (auto sized = size_file(job_memory, bytes); !sized) return sized.error();
  return file_segment(job_memory, false, {getpid(), job_memory});
}

SegmentResult create_posix(size_t bytes) {
  auto descriptor = create_unlinked_shm();
  if (!descriptor) return descriptor.error().try_this("ATRIUM_SEGMENT=memfd, or a tmpfs on /dev/shm");
  if (auto sized = size_file(*descriptor, bytes); !sized) return sized.error();
  return file_segment(*descriptor, true, {getpid(), *descriptor});
}

SegmentResult attach_posix(SegmentTicket ticket) {
  auto descriptor = open_descriptor_of(static_cast<pid_t>(ticket.owner), static_cast<int>(ticket.number));
  if (!descriptor) return descriptor.error();
  return file_segment(*descriptor, true, ticket);
}

}  // namespace

SegmentResult create_segment(SegmentKind kind, int job_memory, size_t bytes) {
  if (kind == SegmentKind::sysv) return create_sysv_segment(bytes);
  if (kind == SegmentKind::posix) return create_posix(bytes);
  return create_in_job_memory(job_memory, bytes);
}

SegmentResult attach_segment(SegmentKind kind, int job_memory, SegmentTicket ticket) {
  if (kind == SegmentKind::sysv) return attach_sysv_segment(ticket);
  if (kind == SegmentKind::posix) return attach_posix(ticket);
  return file_segment(job_memory, false, ticket);
}

}  // namespace atrium
