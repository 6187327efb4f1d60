// Maps, commits and discards parts of a segment that lies behind a file descriptor.
// SPDX-License-Identifier: BSD-3-Clause
#include "segment/file_segment.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "core/log.hpp"
#include "os/job_memory.hpp"

namespace atrium {

namespace {

constexpr const char* cannot_map = "cannot map the symmetric memory";

// All PEs must find the same, or they would not allocate alike.
bool is_limited(int descriptor) {
  auto limited = has_size_limit(descriptor);
  if (!limited) fatal(limited.error());
  return *limited;
}

}  // namespace

FileSegment::FileSegment(int descriptor, bool owned, SegmentTicket ticket)
    : file_(descriptor), owned_(owned), ticket_(ticket), bounded_(is_limited(descriptor)) {}

FileSegment::~FileSegment() {
  if (owned_) ::close(file_.descriptor());
}

void* FileSegment::map_file(void* where, size_t length, size_t offset, int flags) const {
  return ::mmap(where, length, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE | flags, file_.descriptor(),
                static_cast<off_t>(offset));
}

// Whether the file is there is asked once for all parts.
Result<void> FileSegment::map_each(std::span<const Part> parts) {
  if (!file_.is_there()) return file_.lost(cannot_map);
  for (const auto& [where, length, offset] : parts)
    if (length > 0 && map_file(where, length, offset, MAP_FIXED) == MAP_FAILED)
      return system_error(cannot_map, "mmap");
  return {};
}

Result<void*> FileSegment::map_anywhere(size_t length, size_t offset) {
  if (!file_.is_there()) return file_.lost(cannot_map);
  void* const where = map_file(nullptr, length, offset, 0);
  if (where == MAP_FAILED) return system_error(cannot_map, "mmap");
  return where;
}

Result<void> FileSegment::commit(size_t length, size_t offset) {
  constexpr const char* what = "cannot get memory for the symmetric heap";
  if (!bounded_) return {};
  if (!file_.is_there()) return file_.lost(what);
  auto committed = commit_file(file_.descriptor(), length, offset, what);
  if (committed) return committed;
  return committed.error().try_this(
      "ATRIUM_SEGMENT=memfd, which the size of /dev/shm does not limit, or a larger /dev/shm");
}

bool FileSegment::discard(void*, size_t length, size_t offset) {
  return file_.is_there() && ::fallocate(file_.descriptor(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                                         static_cast<off_t>(offset), static_cast<off_t>(length)) == 0;
}

size_t FileSegment::next_data(size_t offset, size_t end) const {
  if (!file_.is_there()) return offset;
  const off_t found = ::lseek(file_.descriptor(), static_cast<off_t>(offset), SEEK_DATA);
  if (found < 0) return errno == ENXIO ? end : offset;  // no SEEK_DATA here: everything may be data
  return std::min(static_cast<size_t>(found), end);
}

size_t FileSegment::next_hole(size_t offset, size_t end) const {
  if (!file_.is_there()) return end;
  const off_t found = ::lseek(file_.descriptor(), static_cast<off_t>(offset), SEEK_HOLE);
  return found < 0 ? end : std::min(static_cast<size_t>(found), end);
}

}  // namespace atrium
