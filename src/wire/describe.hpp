// Messages, records and channels in words: for a debugger, which can call these, and for ATRIUM_DEBUG.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>

#include "wire/channel.hpp"
#include "wire/message.hpp"

namespace atrium {

// "put 8 bytes to 0x40 of PE 1"
std::string describe(const Record& record);
// A message that is not sealed, without its tag: "message 7 of node 1.0, urgent, executed 3", and its records behind it.
std::string describe_message(const char* data, size_t bytes);
// What is under way, in one line: "channel to node 1.0: sent 7, answered 5, ..."
std::string describe(const Channel& channel);

}  // namespace atrium
