// Which thread holds a progress lock.
// SPDX-License-Identifier: BSD-3-Clause
//
// A signal handler runs on the thread that it interrupts. If that thread holds the lock, a routine that the handler calls would
// wait for it for ever: the thread goes on only when the handler has returned. So the lock's word is the number of its holder.
#pragma once

#include <cstdint>

namespace atrium {

// The kernel's number of this thread: more than 0, and less than 2^22.
uint32_t number_of_this_thread();

// Ends the job, with a message.
[[noreturn, gnu::cold]] void refuse_call_of_handler();

}  // namespace atrium
