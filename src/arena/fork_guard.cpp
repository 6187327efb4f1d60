// pthread_atfork handlers: snapshot before the fork, put it in place in the child.
// SPDX-License-Identifier: BSD-3-Clause
//
// The snapshot is taken by the parent, before fork() copies the address space: a child that copied for itself would see
// what the parent and its peers have written meanwhile. (system(), popen() and posix_spawn() do not come here: the C
// library starts those children with vfork semantics, and they only exec.)
#include "arena/fork_guard.hpp"

#include <pthread.h>
#include <sys/mman.h>

#include "arena/raw_copy.hpp"
#include "core/log.hpp"

namespace atrium {
namespace {

struct Guarded {
  Segment* segment = nullptr;
  DataSegment data;
  size_t offset = 0;
  void* snapshot = nullptr;
  bool child = false;
};
Guarded guarded;

// Holes are skipped: reading one through a shared mapping would allocate it.
void copy_data_extents(uintptr_t to) {
  const size_t end = guarded.offset + guarded.data.size();
  for (size_t at = guarded.segment->next_data(guarded.offset, end); at < end;) {
    const size_t hole = guarded.segment->next_hole(at, end);
    raw_copy(to + (at - guarded.offset), guarded.data.begin + (at - guarded.offset), hole - at);
    at = guarded.segment->next_data(hole, end);
  }
}

void before_fork() {
  void* memory = ::mmap(nullptr, guarded.data.size(), PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    fatal(system_error("cannot give a forked child its own static data", "mmap").try_this("ulimit -v unlimited"));
  guarded.snapshot = memory;  // before the copy: in a static program this variable is part of what is copied
  copy_data_extents(reinterpret_cast<uintptr_t>(memory));
}

void in_parent() {
  ::munmap(guarded.snapshot, guarded.data.size());
  guarded.snapshot = nullptr;
}

void in_child() {
  const size_t size = guarded.data.size();
  ::mremap(guarded.snapshot, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, reinterpret_cast<void*>(guarded.data.begin));
  guarded.snapshot = nullptr;
  guarded.child = true;
}

}  // namespace

void guard_fork(Segment& segment, const DataSegment& data, size_t offset) {
  if (data.size() == 0) return;
  guarded.segment = &segment;
  guarded.data = data;
  guarded.offset = offset;
  pthread_atfork(before_fork, in_parent, in_child);
}

bool is_forked_child() { return guarded.child; }

}  // namespace atrium
