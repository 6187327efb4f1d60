// Ends an agent from its own host, by a second command of the oshrun that has started it and does not hear it.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace atrium {

// The word on its command line, before the agent's number.
inline constexpr const char* end_agent_word = "--end-agent";
// What its line begins with; the rest says why it ends the agent.
inline constexpr const char* end_agent_line = "atrium-end-agent ";
inline constexpr char end_agent_now = 'k';

// Looks until its input ends: the other oshrun hears the agent. Ends it when it has been stopped or has been there for
// seconds and is still not heard, or when end_agent_now is read; says why, also when it has gone unheard. Returns the
// exit status.
int end_agent(const std::string& number);

}  // namespace atrium
