// Starts a small process that checks each second whether this one has been stopped for too long. Others wait for it, and no clock of
// theirs distinguishes a process that is stopped from one that has no CPU.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/types.h>

namespace atrium {

// Kills an agent that somebody has stopped for longer than the limit and than its oshrun needs to report it. Otherwise its PEs
// would stay. 0: it may be stopped for as long as the user likes. Requires: no subreaper yet.
void start_guard_of_agent(int limit_s);
// An agent gets the job's limit when its guard is already there.
void set_limit_of_agent(int limit_s);

// The commands by which oshrun reaches its agents are ended when somebody has stopped it for so long, and so are the agents. It
// may stop itself, with its PEs, for as long as the user likes (set_suspended). 0: it may be stopped as well.
void start_guard_of_oshrun(int limit_s);
void set_suspended(bool suspended);
// The guard of this oshrun has ended its agents.
bool agents_were_ended_by_guard();

bool is_guard(pid_t process);

}  // namespace atrium
