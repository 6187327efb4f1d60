// How much is under way in one connection.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

namespace atrium {

// Nothing is heard of a node before a part is there, and a slow network that many share still takes less than the time after
// which silence counts (lobby/liveness.hpp).
inline constexpr size_t largest_tcp_part = size_t{4} << 20;
inline constexpr size_t most_tcp_posts = 256;  // that wait
inline constexpr size_t most_tcp_reads =
    256;  // without an answer: the other side remembers each until it can answer
inline constexpr size_t tcp_staging_bytes =
    size_t{64} << 10;  // of one call of the kernel, beside what goes where it belongs

}  // namespace atrium
