// What must be known of an MPI datatype to move its elements.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>

#include "datatype/handle_place.hpp"

namespace atrium::mpi {

struct TypeShape {
  bool contiguous =
      false;  // elements lie in memory as they are packed: no gaps, in the order of the type map
  MPI_Datatype type{};
  std::size_t size = 0;  // bytes of data in one element
  MPI_Aint extent = 0;   // from one element to the next
};

// Asks the MPI.
TypeShape find_shape(MPI_Datatype type);

// Only named types are remembered: the handle of a freed one may come back as another type.
inline constinit thread_local std::array<TypeShape, handle_places> named_shapes{};

// Of an element; 0 if the type is none that is remembered.
inline std::size_t remember_size(MPI_Datatype type) {
  const TypeShape& named = named_shapes[handle_place(type)];
  return named.type == type ? named.size : 0;
}

inline TypeShape describe(MPI_Datatype type) {
  return remember_size(type) ? named_shapes[handle_place(type)] : find_shape(type);
}

// Whether MPICH refuses it before it sends anything: a null pointer to elements of a type that holds data and begins at the buffer.
bool lacks_memory(const void* buffer, MPI_Aint count, MPI_Datatype type);

// Some elements in a user's memory. `at` may be a small number: with MPI_BOTTOM, types hold addresses.
struct Block {
  char* at;
  MPI_Aint count;
  const TypeShape* shape;
  std::size_t bytes() const { return static_cast<std::size_t>(count) * shape->size; }
};

// Largest block that is packed: the MPI's own routines count the bytes of a pack in an int.
inline constexpr std::size_t largest_block = std::size_t{1} << 30;

// All answer the MPI's code, and who raises an error is the caller. `comm`: the program's.
int pack_by_mpi(const Block& block, std::byte* to, MPI_Comm comm);
int unpack_by_mpi(const std::byte* from, std::size_t bytes, const Block& block, MPI_Comm comm);

inline int pack(const Block& block, std::byte* to, MPI_Comm comm) {
  if (!block.shape->contiguous) return pack_by_mpi(block, to, comm);
  if (block.bytes() > 0) std::memcpy(to, block.at, block.bytes());
  return MPI_SUCCESS;
}

// Takes at most `bytes` of the packed data.
inline int unpack(const std::byte* from, std::size_t bytes, const Block& block, MPI_Comm comm) {
  bytes = std::min(bytes, block.bytes());
  if (!block.shape->contiguous) return unpack_by_mpi(from, bytes, block, comm);
  if (bytes > 0) std::memcpy(block.at, from, bytes);
  return MPI_SUCCESS;
}

}  // namespace atrium::mpi
