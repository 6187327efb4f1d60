// Hears the bell, and carries the blobs once all nodes have told theirs.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/process/exchange.hpp"

#include <sys/eventfd.h>

#include "core/log.hpp"

namespace atrium {

Exchange::Exchange(Loop& loop, JobSegment& segment) : segment_(segment) {
  if (segment_.nodes() == 1) return;
  bell_ = move_up(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (bell_ < 0 || !loop.watch(bell_, EPOLLIN, *this))
    fatal(system_error("cannot prepare the job", "eventfd"));
}

void Exchange::on_ready() {
  eventfd_t rings;
  eventfd_read(bell_, &rings);
  segment_.carry_blobs();
}

}  // namespace atrium
