// pthread_atfork handlers: snapshot before the fork, put it in place in the child.
// SPDX-License-Identifier: BSD-3-Clause
//
// The snapshot is taken by the parent, before fork() copies the address space: a child that copied for itself
// would see what the parent and its peers have written meanwhile. (system(), popen() and posix_spawn() do not
// come here: the C library starts those children with vfork semantics, and they only exec.)
#include "arena/fork_guard.hpp"

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <mutex>

#include "arena/globals.hpp"
#include "arena/raw_copy.hpp"
#include "atrium_message.h"
#include "core/log.hpp"

namespace atrium {
namespace {

struct GuardedData {
  Segment* segment = nullptr;
  DataSegment data;
  size_t offset = 0;
  void* place = nullptr;  // address space for snapshots, as large as the data
  bool child = false;
};
GuardedData guarded;

// Held from before_fork to in_parent: since glibc 2.36 the handlers of two forking threads may run at the
// same time, and there is one place. A child unlocks its copy.
std::mutex one_fork_at_a_time;

// Holes are skipped: reading one through a shared mapping would allocate it.
void copy_data_extents(uintptr_t to) {
  const size_t end = guarded.offset + guarded.data.size();
  for (size_t at = guarded.segment->next_data(guarded.offset, end); at < end;) {
    const size_t hole = guarded.segment->next_hole(at, end);
    raw_copy(to + (at - guarded.offset), guarded.data.begin + (at - guarded.offset), hole - at);
    at = guarded.segment->next_data(hole, end);
  }
}

// The place is that of the first snapshot for every later one. In a static program `guarded` itself is shared data until the
// child has its own: the parent may be in its next fork by the time the child looks, so nothing the child
// reads may change.
void* map_at_place(int protection) {
  return ::mmap(guarded.place, guarded.data.size(), protection,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | (guarded.place ? MAP_FIXED : 0), -1, 0);
}

// A child's data are private memory like any other; when it forks in turn, the kernel copies them.
void before_fork() {
  if (guarded.child) return;
  one_fork_at_a_time.lock();
  void* const place = map_at_place(PROT_READ | PROT_WRITE);
  if (place == MAP_FAILED)
    fatal(system_error("cannot give a forked child its own static data", "mmap")
              .try_this("ulimit -v unlimited"));
  guarded.place = place;
  copy_data_extents(reinterpret_cast<uintptr_t>(guarded.place));
}

void in_parent() {
  if (guarded.child) return;
  map_at_place(PROT_NONE);
  one_fork_at_a_time.unlock();
}

// What this child would write is the PE's. Nothing is taken from malloc, whose data may be the PE's, too.
[[noreturn]] void end_child() {
  constexpr char text[] =
      "atrium: a child of fork() is ended\n"
      "  because: mremap: it gets no static data of its own\n"
      "  while:   fork\n"
      "  try:     a larger /proc/sys/vm/max_map_count\n";
  atrium_write_whole(STDERR_FILENO, text, sizeof text - 1);
  ::_exit(1);
}

void in_child() {
  if (guarded.child) return;
  const size_t size = guarded.data.size();
  if (::mremap(guarded.place, size, size, MREMAP_MAYMOVE | MREMAP_FIXED,
               reinterpret_cast<void*>(guarded.data.begin)) == MAP_FAILED)
    end_child();
  protect_constants(guarded.data);
  guarded.child = true;
  one_fork_at_a_time.unlock();
}

}  // namespace

void guard_fork(Segment& segment, const DataSegment& data, size_t offset) {
  if (data.size() == 0) return;
  guarded.segment = &segment;
  guarded.data = data;
  guarded.offset = offset;
  pthread_atfork(before_fork, in_parent, in_child);
}

}  // namespace atrium
