// Memory of this process that others of the node can map: what MPI_Alloc_mem gives, so that peers copy straight out of it.
// SPDX-License-Identifier: BSD-3-Clause
//
//   | head: mark, freed | the program's memory |
//
// Each piece is a System V segment, marked for removal at once: nothing is left, however the job ends. A process that maps a piece of
// another one keeps it mapped; its owner says in the head that it has been freed, and gives its pages back to the
// system, so that a mapping that is still there costs none. It goes with the next piece that its process maps or makes.
// Thread safety: all of it may be called by several threads. A piece may be freed when no process reads it any more: a call
// that has offered it to others waits for them before it ends.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace atrium::mpi {

// What another process needs to map a piece; address and size are those of its owner.
struct ExportedMemory {
  std::int64_t segment = -1;  // -1: none
  std::uint64_t mark =
      0;  // an identifier means another segment after a time, or to a process with another namespace
  std::uint64_t address = 0, bytes = 0;

  bool holds(std::uint64_t at, std::uint64_t length) const {
    return segment >= 0 && at >= address && length <= bytes && at - address <= bytes - length;
  }
};

// Null where there is no such memory, or it is not worth a segment.
void* allocate_exported_memory(std::size_t bytes);
// False if it is not such memory.
bool free_exported_memory(void* memory);
bool has_exported_memory();
// The piece that this address is in; `segment` is -1 if there is none.
ExportedMemory exported_memory_at(const void* address);

// Where a piece of another process is mapped here; null if it cannot be.
const std::byte* map_exported_memory(const ExportedMemory& memory);

}  // namespace atrium::mpi
