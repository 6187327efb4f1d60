// Ends a silent agent from its own host, by a second command of the oshrun that has started it.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace atrium {

// The word on its command line, before the agent's number.
inline constexpr const char* end_agent_word = "--end-agent";
// What its line begins with; the rest says why it ends the agent.
inline constexpr const char* end_agent_line = "atrium-end-agent ";
// What it reads. An agent that has greeted is examined, and ended only when the other oshrun orders it.
inline constexpr char end_agent_now = 'k';
inline constexpr char agent_has_greeted = 'g';

// Looks until its input ends: the other oshrun hears the agent. Says why that one is not heard, once it knows: somebody has
// stopped it, it runs and what it says does not arrive, or it has gone. One that has not greeted is ended then. An agent without
// a CPU, or one that waits for a disk, is left alone. Returns the exit status.
int end_agent(const std::string& number);

}  // namespace atrium
