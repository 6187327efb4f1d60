// The end of a process whose own threads have ended: it comes as if the library had none.
// SPDX-License-Identifier: BSD-3-Clause
//
// A program whose main() ends by pthread_exit ends with its last thread, by exit(0). Background threads would keep it alive
// for ever. So when the thread that has started them leaves, one more looks until nobody but them is left, and exits.
#pragma once

namespace atrium {

// By whoever starts a background thread; `is_ours`: whether the kernel's number of a thread is that of such a one.
void end_with_the_last_thread(bool (*is_ours)(int thread));

}  // namespace atrium
