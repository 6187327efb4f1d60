// How many messages of a channel may be under way.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

namespace atrium {

inline constexpr size_t gathers_from = 4;  // so many unanswered: records gather
inline constexpr size_t send_window = 6;   // unanswered messages

}  // namespace atrium
