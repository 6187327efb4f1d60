// Formats times, bytes, counts and shares for people.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>

namespace atrium::profile {

std::string say_seconds(double seconds);         // 1.23 s, 45.6 ms, 7.8 us, 120 ns
std::string say_bytes(uint64_t bytes);           // 12 B, 3.4 KiB, 5.6 MiB
std::string say_share(double part, double all);  // 12 %, 0.3 %

}  // namespace atrium::profile
