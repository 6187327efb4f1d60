// Keeps pthread_cancel from ending this thread in the middle of what it does.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <pthread.h>

namespace atrium {

// As long as it lives. Where a thread holds a lock around a call that is a cancellation point (recvmsg, poll), nobody else would get
// that lock any more.
class NotCancelled {
 public:
  NotCancelled() { pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before_); }
  ~NotCancelled() { pthread_setcancelstate(before_, nullptr); }
  NotCancelled(const NotCancelled&) = delete;
  NotCancelled& operator=(const NotCancelled&) = delete;

 private:
  int before_ = PTHREAD_CANCEL_ENABLE;
};

}  // namespace atrium
