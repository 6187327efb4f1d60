// The probes: each makes a small thing for real and takes it down again.
// SPDX-License-Identifier: BSD-3-Clause
#include "atrium-info/probe.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <memory>

#include "os/job_memory.hpp"
#include "os/page.hpp"
#include "segment/segment.hpp"

#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25  // since Linux 6.1
#endif

namespace atrium {
namespace {

constexpr size_t probe_bytes = size_t{4} << 20;

SegmentKind kind_named(const std::string& name) {
  if (name == "posix") return SegmentKind::posix;
  return name == "sysv" ? SegmentKind::sysv : SegmentKind::memfd;
}

std::string why(const Error& error) { return "no: " + (error.because.empty() ? error.what : error.because); }

// A reserved range in which a mapping with MAP_FIXED harms nobody.
void* reserve(size_t bytes) {
  return ::mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
}

// Creates a segment of this kind, maps it, makes its memory exist and writes there.
Result<void> use_segment(SegmentKind kind, int job_memory) {
  auto segment = create_segment(kind, job_memory, probe_bytes);
  if (!segment) return segment.error();
  void* where = reserve(probe_bytes);
  if (where == MAP_FAILED) return system_error("cannot reserve", "mmap");
  auto mapped = (*segment)->map(where, probe_bytes, 0);
  auto committed = mapped ? (*segment)->commit(where, probe_bytes, 0) : Result<void>{};
  if (mapped && committed) *static_cast<volatile char*>(where) = 1;
  ::munmap(where, probe_bytes);
  return mapped ? committed : mapped;
}

}  // namespace

std::string probe_segment(const char* kind) {
  auto memory = create_job_memory();
  if (!memory) return why(memory.error());
  auto used = use_segment(kind_named(kind), *memory);
  ::close(*memory);
  return used ? "works" : why(used.error());
}

std::string probe_huge_pages() {
  auto memory = create_job_memory();
  if (!memory) return why(memory.error());
  auto segment = create_segment(SegmentKind::memfd, *memory, probe_bytes);
  if (!segment) return why(segment.error());
  auto* room = static_cast<std::byte*>(reserve(probe_bytes + huge_page_size));
  auto* where = reinterpret_cast<std::byte*>(round_up(reinterpret_cast<uintptr_t>(room), huge_page_size));
  auto mapped = (*segment)->map(where, huge_page_size, 0);
  if (!mapped) return why(mapped.error());
  *where = std::byte{1};
  const bool got = ::madvise(where, huge_page_size, MADV_COLLAPSE) == 0;
  const std::string answer = got ? "works (MADV_COLLAPSE)" : why(system_error("", "madvise(MADV_COLLAPSE)"));
  ::munmap(room, probe_bytes + huge_page_size);
  ::close(*memory);
  return answer;
}

}  // namespace atrium
