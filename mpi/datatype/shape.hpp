// What must be known of an MPI datatype to move its elements.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstddef>

namespace atrium::mpi {

struct Shape {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  std::size_t size = 0;  // bytes of data in one element
  MPI_Aint extent = 0;   // from one element to the next
  bool contiguous =
      false;  // its elements lie in memory as they are packed: no gaps, and in the order of the type map
};

Shape describe(MPI_Datatype type);

// Some elements in a user's memory. `at` may be a small number: with MPI_BOTTOM, types hold addresses.
struct Block {
  char* at;
  MPI_Aint count;
  const Shape* shape;
  std::size_t bytes() const { return static_cast<std::size_t>(count) * shape->size; }
};

// Largest block that is packed: the MPI's own routines count the bytes of a pack in an int.
inline constexpr std::size_t largest_block = std::size_t{1} << 30;

// Both answer the MPI's code; the communicator's error handler has then been called.
int pack(const Block& block, std::byte* to, MPI_Comm comm);
// Takes at most `bytes` of the packed data.
int unpack(const std::byte* from, std::size_t bytes, const Block& block, MPI_Comm comm);

}  // namespace atrium::mpi
