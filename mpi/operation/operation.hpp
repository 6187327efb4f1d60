// What a predefined operation does to elements of a predefined type.
// SPDX-License-Identifier: BSD-3-Clause
//
// Elements are combined as the MPIs do it: an integer wraps around, a logical result is 0 or 1, of two equal values that
// carry a place the lower place is kept.
#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstdint>

#include "datatype/handle_place.hpp"

namespace atrium::mpi {

struct ReduceOperation {
  // left = left op right, for so many elements. Neither needs to be aligned; they do not overlap.
  using Combine = void (*)(std::byte* left, const std::byte* right, std::size_t count);

  Combine combine = nullptr;      // null: not known here
  std::size_t element_bytes = 0;  // from one element to the next
  bool depends_on_order = false;  // floating-point sums and products, of more than two values
  int number = 0;                 // of this operation on this type

  explicit operator bool() const { return combine != nullptr; }
};

// The same on all ranks. Not known are: user's operations and types, types that a compiler of C++ has no name for, and
// whatever the standard does not allow together, which MPIs refuse or not.
ReduceOperation find_operation(MPI_Op op, MPI_Datatype type);

// A bit for each number.
using OperationSet = std::array<std::uint64_t, 12>;
constexpr bool contains(const OperationSet& set, const ReduceOperation& operation) {
  return set[static_cast<std::size_t>(operation.number / 64)] >> operation.number % 64 & 1;
}

// Those with which this process's MPI makes something else of the same values, as MPI_Reduce_local shows.
const OperationSet& operations_that_differ();

// What was asked for lately. Handles of predefined operations and types never come back as others'.
struct FoundOperation {
  MPI_Op op{};
  MPI_Datatype type{};
  ReduceOperation found;
};
inline constinit thread_local std::array<FoundOperation, handle_places> found_operations{};

inline const ReduceOperation& operation_of(MPI_Op op, MPI_Datatype type) {
  FoundOperation& last = found_operations[handle_place(op) ^ handle_place(type)];
  if (!last.found || op != last.op || type != last.type) last = {op, type, find_operation(op, type)};
  return last.found;
}

}  // namespace atrium::mpi
