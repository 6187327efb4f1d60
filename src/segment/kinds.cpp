// The kinds of segment: the one place that knows all of them.
// SPDX-License-Identifier: BSD-3-Clause
#include <unistd.h>

#include <algorithm>
#include <iterator>

#include "os/job_memory.hpp"
#include "os/peer_descriptor.hpp"
#include "segment/file_segment.hpp"
#include "segment/segment.hpp"
#include "segment/sysv_segment.hpp"

namespace atrium {
namespace {

SegmentResult file_segment(int descriptor, bool owned, SegmentTicket ticket) {
  return std::unique_ptr<Segment>(new FileSegment(descriptor, owned, ticket));
}

SegmentResult create_in_job_memory(int job_memory, size_t bytes) {
  if (auto sized = size_file(job_memory, bytes); !sized) return sized.error();
  return file_segment(job_memory, false, {getpid(), job_memory});
}

SegmentResult create_posix(int, size_t bytes) {
  auto descriptor = create_unlinked_shm();
  if (!descriptor) return descriptor.error().try_this("ATRIUM_SEGMENT=memfd, or a tmpfs on /dev/shm");
  if (auto sized = size_file(*descriptor, bytes); !sized) return sized.error();
  return file_segment(*descriptor, true, {getpid(), *descriptor});
}

SegmentResult attach_posix(int, SegmentTicket ticket) {
  auto descriptor = open_descriptor_of(static_cast<pid_t>(ticket.owner), static_cast<int>(ticket.number),
                                       "ATRIUM_SEGMENT=memfd, whose memory oshrun hands over by inheritance");
  if (!descriptor) return descriptor.error();
  return file_segment(*descriptor, true, ticket);
}

SegmentResult attach_in_job_memory(int job_memory, SegmentTicket ticket) {
  return file_segment(job_memory, false, ticket);
}

SegmentResult create_sysv(int, size_t bytes) { return create_sysv_segment(bytes); }
SegmentResult attach_sysv(int, SegmentTicket ticket) { return attach_sysv_segment(ticket); }

constexpr SegmentKind kinds[] = {
    {"memfd", create_in_job_memory, attach_in_job_memory},
    {"posix", create_posix, attach_posix},
    {"sysv", create_sysv, attach_sysv},
};

}  // namespace

std::span<const SegmentKind> segment_kinds() { return kinds; }

const SegmentKind& segment_kind(std::string_view name) {
  return *std::find_if(std::begin(kinds), std::end(kinds),
                       [&](const SegmentKind& kind) { return kind.name == name; });
}

}  // namespace atrium
