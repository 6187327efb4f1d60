// The probes: each makes a small thing for real and takes it down again.
// SPDX-License-Identifier: BSD-3-Clause
#include "atrium-info/probe.hpp"

#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

#include <climits>
#include <memory>
#include <string>

#include "arena/huge_pages.hpp"
#include "os/job_memory.hpp"
#include "os/page.hpp"
#include "segment/segment.hpp"

#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25  // since Linux 6.1
#endif

namespace atrium {
namespace {

constexpr size_t probe_bytes = size_t{4} << 20;

std::string why(const Error& error) { return "no: " + (error.because.empty() ? error.what : error.because); }

// A reserved range in which a mapping with MAP_FIXED harms nobody.
void* reserve(size_t bytes) {
  return ::mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
}

// Creates a segment of this kind, maps it, makes its memory exist and writes there.
Result<void> use_segment(const SegmentKind& kind, int job_memory) {
  auto segment = kind.create(job_memory, probe_bytes);
  if (!segment) return segment.error();
  void* where = reserve(probe_bytes);
  if (where == MAP_FAILED) return system_error("cannot reserve", "mmap");
  auto mapped = (*segment)->map(where, probe_bytes, 0);
  auto committed = mapped ? (*segment)->commit(probe_bytes, 0) : Result<void>{};
  if (mapped && committed) *static_cast<volatile char*>(where) = 1;
  ::munmap(where, probe_bytes);
  return mapped ? committed : mapped;
}

// What has made the job's memory: the kernel may know no memory files here, or let nobody make one.
std::string way_to(int job_memory) {
  auto memory_file = create_memfd();
  if (memory_file) return ::close(*memory_file), "";
  char folder[PATH_MAX];
  const std::string link = "/proc/self/fd/" + std::to_string(job_memory);
  const ssize_t length = ::readlink(link.c_str(), folder, sizeof folder);
  const std::string path(folder, length > 0 ? static_cast<size_t>(length) : 0);
  return " by a file without a name in " + path.substr(0, path.rfind('/')) + " (" +
         memory_file.error().because + ")";
}

std::string missing(const char* file, const char* consequence) {
  return std::string("not here (") + file + "): " + consequence;
}

// Both say it in their own way: PMIx in words, hwloc as 0x00020900.
std::string hwloc_version(unsigned version) {
  return std::to_string(version >> 16) + "." + std::to_string(version >> 8 & 0xff) + "." +
         std::to_string(version & 0xff);
}

std::string first_words(const std::string& text) {
  const std::string words = text.substr(0, text.find_first_of(",("));
  return words.substr(0, words.find_last_not_of(' ') + 1);
}

}  // namespace

std::string probe_pmix() {
  if (!ATRIUM_WITH_PMIX) return "left out when Atrium was built: only oshrun starts jobs";
  void* library = ::dlopen("libpmix.so.2", RTLD_LAZY | RTLD_LOCAL);
  if (!library) return missing("libpmix.so.2", "only oshrun starts jobs");
  const auto version = reinterpret_cast<const char* (*)()>(::dlsym(library, "PMIx_Get_version"));
  return (version ? first_words(version()) : std::string("a version that does not say which")) +
         ": jobs of mpirun can be joined";
}

std::string probe_hwloc() {
  if (!ATRIUM_WITH_HWLOC) return "left out when Atrium was built: the node counts as one part";
  void* library = ::dlopen("libhwloc.so.15", RTLD_LAZY | RTLD_LOCAL);
  if (!library) return missing("libhwloc.so.15", "the node counts as one part");
  const auto version = reinterpret_cast<unsigned (*)()>(::dlsym(library, "hwloc_get_api_version"));
  return (version ? "API " + hwloc_version(version()) : std::string("a version that does not say which")) +
         ": PEs are placed by caches and NUMA nodes";
}

std::string probe_otf2() {
  const std::string file = ATRIUM_OTF2_LIBRARY;
  if (file.empty()) return "left out when Atrium was built: oshrun --trace writes JSON alone";
  if (!::dlopen(file.c_str(), RTLD_LAZY | RTLD_LOCAL))
    return missing(file.c_str(), "oshrun --trace writes JSON alone");
  return file + ": oshrun --trace=NAME.otf2 writes archives";
}

std::string probe_segment(const SegmentKind& kind) {
  auto memory = create_job_memory();
  if (!memory) return why(memory.error());
  auto used = use_segment(kind, *memory);
  const std::string answer =
      used ? "works" + (kind.name == "memfd" ? way_to(*memory) : "") : why(used.error());
  ::close(*memory);
  return answer;
}

std::string probe_huge_pages() {
  auto memory = create_job_memory();
  if (!memory) return why(memory.error());
  auto segment = segment_kind("memfd").create(*memory, probe_bytes);
  if (!segment) return why(segment.error());
  auto* room = static_cast<std::byte*>(reserve(probe_bytes + huge_page_size));
  auto* where = reinterpret_cast<std::byte*>(round_up(reinterpret_cast<uintptr_t>(room), huge_page_size));
  auto mapped = (*segment)->map(where, huge_page_size, 0);
  if (!mapped) return why(mapped.error());
  *where = std::byte{1};
  const bool got = ::madvise(where, huge_page_size, MADV_COLLAPSE) == 0;
  const std::string answer = got ? "works (MADV_COLLAPSE)" : "no: " + why_no_huge_pages();
  ::munmap(room, probe_bytes + huge_page_size);
  ::close(*memory);
  return answer;
}

}  // namespace atrium
