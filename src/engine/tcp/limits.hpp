// How many posts, reads and bytes may wait on one TCP connection at a time.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

namespace atrium {

inline constexpr size_t most_tcp_posts = 256;  // posted and not written
// Unanswered: the other side keeps each until it can answer.
inline constexpr size_t most_tcp_reads = 256;
// Read by one call of the kernel, beside data that goes directly to its destination.
inline constexpr size_t tcp_staging_bytes = size_t{64} << 10;

}  // namespace atrium
