// From which size on data travels in another way.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

#include "endpoint/message.hpp"

namespace atrium {

// A put up to this is a record: copied in, copied out, executed by the target's CPU. Above it is the engine's write.
inline constexpr size_t put_by_record = largest_payload;
// A blocking put up to this leaves a copy behind and returns; above it waits until the engine has its source.
inline constexpr size_t put_by_copy = size_t{64} << 10;
// A get up to this is a record and its reply; above it is the engine's read.
inline constexpr size_t get_by_record = largest_reply;

enum class Travel { record, write, read };
constexpr Travel travel_of_put(size_t bytes) {
  return bytes > put_by_record ? Travel::write : Travel::record;
}
constexpr Travel travel_of_get(size_t bytes) { return bytes > get_by_record ? Travel::read : Travel::record; }

}  // namespace atrium
