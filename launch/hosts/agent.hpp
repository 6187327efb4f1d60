// oshrun as the agent of another oshrun, which the user started on another host. It runs the PEs of this host, and exchanges frames
// over its standard input and output (messages.hpp). It may start agents of further hosts, and speak for these, too (branches.hpp).
// SPDX-License-Identifier: BSD-3-Clause
//
// Invariants.  The agent ends its PEs and itself when its input ends or is silent for too long: then the other oshrun, its host or
//              the connection is lost. It opens no port.
#pragma once

namespace atrium {

// The word on its command line, before its number, by which it is found (end_agent.hpp).
inline constexpr const char* agent_word = "--be-agent";

// Returns its exit status.
int be_agent();

}  // namespace atrium
