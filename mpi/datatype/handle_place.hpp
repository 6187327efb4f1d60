// A place in a small table for a handle of the MPI, which may be a pointer to an object or a number.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

namespace atrium::mpi {

inline constexpr std::size_t handle_places = 8;

// Numbers differ in their lowest bits, or, MPICH's types, in the next byte; pointers above the bits that alignment leaves at zero.
template <class Handle>
std::size_t handle_place(Handle handle) {
  const auto bits = (std::uintptr_t)handle;
  return (bits ^ bits >> 5 ^ bits >> 9) % handle_places;
}

}  // namespace atrium::mpi
