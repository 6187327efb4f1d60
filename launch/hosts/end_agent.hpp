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

// Examines the agent until its own input ends, which means that the other oshrun receives something from the agent again. It
// prints why nothing was received, once it knows the reason: the agent was stopped, it runs but its messages do not arrive, or it
// has ended. An agent that has not greeted is then killed. One that has no CPU, or waits for a disk, is left alone. Returns the
// exit status.
int end_agent(const std::string& number);

}  // namespace atrium
