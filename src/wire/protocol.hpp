// By which protocol data moves between nodes, which its size decides.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

#include "wire/message.hpp"
#include "wire/operation.hpp"

namespace atrium {

// A put up to this is a record: copied into a message, and out of it by the target's CPU. Above it is the engine's write.
inline constexpr size_t put_by_record = largest_payload;
// A blocking put up to this is copied and returns; above it, or where other channels hold all copies, it waits until the engine has
// read its source.
inline constexpr size_t put_by_copy = size_t{64} << 10;
// A get up to this is a record and its reply; above it is the engine's read.
inline constexpr size_t get_by_record = largest_reply;

enum class Protocol { record, write, read };
constexpr Protocol protocol_of(const Operation& operation) {
  if (operation.kind == OperationKind::get && operation.bytes > get_by_record) return Protocol::read;
  return operation.puts() && operation.bytes > put_by_record ? Protocol::write : Protocol::record;
}

}  // namespace atrium
