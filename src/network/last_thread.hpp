// Ends a process whose own threads have ended, as it would end without threads of the library.
// SPDX-License-Identifier: BSD-3-Clause
//
// A program whose main() ends by pthread_exit ends with its last thread, by exit(0). Background threads would keep it alive
// for ever. So when the thread that has started them ends, one more thread waits until only these are left, and calls exit.
#pragma once

namespace atrium {

// To be called by the thread that starts a background thread. `is_ours`: whether that thread id is one of a background thread.
void end_with_the_last_thread(bool (*is_ours)(int thread));

}  // namespace atrium
