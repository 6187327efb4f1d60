// Waits on an eventfd for the first PE of a node, and calls back when it rings.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/process/bell.hpp"

#include <sys/eventfd.h>

#include "core/log.hpp"
#include "launch/process/descriptors.hpp"

namespace atrium {

Bell::Bell(Loop& loop, int nodes, std::function<void()> on_ring) : on_ring_(std::move(on_ring)) {
  if (nodes == 1) return;
  fd_ = move_up(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (fd_ < 0 || !loop.watch(fd_, EPOLLIN, *this)) fatal(system_error("cannot prepare the job", "eventfd"));
}

void Bell::on_ready() {
  eventfd_t rings;
  eventfd_read(fd_, &rings);
  on_ring_();
}

}  // namespace atrium
