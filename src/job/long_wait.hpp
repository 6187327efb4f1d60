// Publishes in the lobby where this PE waits, once a wait has lasted. oshrun reports it on SIGUSR1, and finds by it that all PEs
// wait for each other.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "lobby/lobby.hpp"

namespace atrium {

// From now on long waits of this process are published in `mine`, which is zero or was used by it before.
void publish_long_waits_in(LobbyWait& mine);
// How waits are called that come from no routine of the program: it has ended, and this process is in an exit handler.
void name_waits_at_exit(const char* routine);
// In a child of fork(), whose waits are not this PE's.
void stop_publishing_long_waits();

}  // namespace atrium
