// Creates, attaches and maps a System V shared memory segment.
// SPDX-License-Identifier: BSD-3-Clause
#include "segment/sysv_segment.hpp"

#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <unistd.h>

#include "core/settings.hpp"
#include "os/peer_descriptor.hpp"

namespace atrium {
namespace {

constexpr const char* cannot_map = "cannot map the symmetric memory";

Result<std::unique_ptr<Segment>> attach(SegmentTicket ticket) {
  void* whole = ::shmat(static_cast<int>(ticket.number), nullptr, 0);
  if (whole == reinterpret_cast<void*>(-1)) {
    Error error =
        system_error("cannot attach the System V segment", "shmat").try_this("ATRIUM_SEGMENT=memfd");
    wait_to_be_ended(static_cast<pid_t>(ticket.owner));
    return error;
  }
  return std::unique_ptr<Segment>(new SysvSegment(ticket, static_cast<std::byte*>(whole)));
}

}  // namespace

SysvSegment::~SysvSegment() { ::shmdt(whole_); }

void* SysvSegment::map_part(void* where, size_t length, size_t offset, int flags) const {
  return ::mremap(whole_ + offset, 0, length, MREMAP_MAYMOVE | flags, where);
}

Result<void> SysvSegment::map_each(std::span<const Part> parts) {
  for (const auto& [where, length, offset] : parts)
    if (length > 0 && map_part(where, length, offset, MREMAP_FIXED) == MAP_FAILED)
      return system_error(cannot_map, "mremap");
  return {};
}

Result<void*> SysvSegment::map_anywhere(size_t length, size_t offset) {
  void* const where = map_part(nullptr, length, offset, 0);
  if (where == MAP_FAILED) return system_error(cannot_map, "mremap");
  return where;
}

bool SysvSegment::discard(void* where, size_t length, size_t) {
  return ::madvise(where, length, MADV_REMOVE) == 0;
}

Result<std::unique_ptr<Segment>> create_sysv_segment(size_t bytes) {
  const int id = ::shmget(IPC_PRIVATE, bytes, IPC_CREAT | IPC_EXCL | SHM_NORESERVE | 0600);
  if (id < 0)
    return system_error("cannot create a System V segment of " + format_size(bytes), "shmget")
        .try_this(
            "a smaller SHMEM_SYMMETRIC_SIZE, sysctl kernel.shmmax and kernel.shmall, or "
            "ATRIUM_SEGMENT=memfd");
  auto segment = attach({getpid(), id});
  // Linux lets others attach a segment that is marked for removal while a process has it attached: so it is marked at
  // once, and vanishes with its last process, whatever kills that.
  ::shmctl(id, IPC_RMID, nullptr);
  return segment;
}

Result<std::unique_ptr<Segment>> attach_sysv_segment(SegmentTicket ticket) { return attach(ticket); }

}  // namespace atrium
