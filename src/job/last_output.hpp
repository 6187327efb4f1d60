// What a PE has printed goes out when another one ends the job by shmem_global_exit (specification section 9.1.6).
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "lobby/lobby.hpp"

namespace atrium {

// From now on SIGTERM, with which the launcher then ends this PE, first writes out its streams. A program's own handler
// stays, and so does SIG_IGN. `lobby` must live as long as the process.
void flush_at_global_exit(const Lobby& lobby);

// The handler that does so.
void end_by_signal(int signal_number);

}  // namespace atrium
