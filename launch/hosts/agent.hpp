// oshrun as the agent of another oshrun, which the user started on another host: it runs the PEs of this host, and talks by frames
// over its standard input and output (messages.hpp). It may start agents of further hosts, and stand for these, too (branches.hpp).
// SPDX-License-Identifier: BSD-3-Clause
//
// Invariants.  The agent ends when its input ends or is silent for too long: then the other oshrun, what connects the
//              two, or its host has gone, and the PEs go too. It opens no port.
#pragma once

namespace atrium {

// The word on its command line, before its number, by which it is found (end_agent.hpp).
inline constexpr const char* agent_word = "--be-agent";

// Returns its exit status.
int be_agent();

}  // namespace atrium
