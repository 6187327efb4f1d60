// When nothing has come from the other end of a link for so long that it has to be given up.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "launch/io/link.hpp"

namespace atrium {

// Both ends say something every second. ATRIUM_HOST_TIMEOUT has the limit; 0: never.
int silence_limit_s();
// From the start of a login to the first word of the other end, which may take a second login to find out why none comes.
constexpr int login_limit_s = 30;

bool is_silent(const HostLink& link, int limit_s);

}  // namespace atrium
