// How much is under way in one connection.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

namespace atrium {

inline constexpr size_t most_tcp_posts = 256;  // that wait
// Without an answer: the other side remembers each until it can answer.
inline constexpr size_t most_tcp_reads = 256;
// Of one call of the kernel, beside what goes where it belongs.
inline constexpr size_t tcp_staging_bytes = size_t{64} << 10;

}  // namespace atrium
