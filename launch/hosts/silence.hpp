// When nothing has come from the other end of a link for so long that it has to be given up.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "launch/io/link.hpp"

namespace atrium {

// Both ends say something every second. ATRIUM_HOST_TIMEOUT has the limit; 0: never.
bool is_silent(const Link& link);
int silence_limit_s();

}  // namespace atrium
