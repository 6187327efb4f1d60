// Stands in front of src/copy/copy.hpp when a model is compiled: copies are plain accesses, checked for races.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstring>

#include "explorer/explorer.hpp"

namespace atrium {

inline void copy(void* dest, const void* source, size_t bytes,
                 const std::source_location& where = std::source_location::current()) {
  model::plain_read(source, bytes, where);
  model::plain_write(dest, bytes, where);
  std::memcpy(dest, source, bytes);
}
inline void copy_to_peer(void* dest, const void* source, size_t bytes,
                         const std::source_location& where = std::source_location::current()) {
  copy(dest, source, bytes, where);
}

}  // namespace atrium
