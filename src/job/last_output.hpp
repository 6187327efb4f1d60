// What becomes of streams at shmem_global_exit (specification section 9.1.6): what a PE has printed goes out, also when another one
// ends the job, and nobody waits for input.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "lobby/lobby.hpp"

namespace atrium {

// From now on SIGTERM, with which the launcher then ends this PE, first writes out its streams. A program's own handler
// stays, and so does SIG_IGN. `lobby` must live as long as the process.
void flush_at_global_exit(const Lobby& lobby);

// The handler that does so.
void end_by_signal(int signal_number);

// From now on exit() does not wait for a thread that is reading standard input and holds it, as exit() of glibc 2.41 does.
void exit_past_readers();

}  // namespace atrium
