// Numbers threads, and refuses a routine that a signal handler calls in the middle of another one.
// SPDX-License-Identifier: BSD-3-Clause
#include "network/lock_holder.hpp"

#include "check/caller.hpp"
#include "core/log.hpp"
#include "os/threads.hpp"

namespace atrium {

uint32_t number_of_this_thread() {
  static thread_local uint32_t number = 0;
  if (number == 0) number = static_cast<uint32_t>(this_thread());
  return number;
}

void refuse_call_of_handler() {
  fatal(Error{"a signal handler has called an OpenSHMEM routine that cannot be executed now",
              "the signal has interrupted another routine of the same thread, and both use its connections "
              "to other nodes",
              describe_caller(),
              "a handler that sets a variable (volatile sig_atomic_t), at which the program looks between "
              "its calls"});
}

}  // namespace atrium
