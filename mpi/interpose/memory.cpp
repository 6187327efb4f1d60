// MPI_Alloc_mem and MPI_Free_mem: memory that the other ranks of the node can map, so that exchanges read it with one copy.
// SPDX-License-Identifier: BSD-3-Clause
//
// Whatever this is not fit for is the MPI's: small pieces, hints of the caller, a node with one rank, and memory that would
// have smaller pages than the MPI's. MPI_Free_mem finds by the address whose memory it is.
#include <mpi.h>

#include <cstring>
#include <string>

#include "atrium_machine.h"
#include "interpose/entry.hpp"
#include "segment/exported_memory.hpp"
#include "settings/settings.hpp"

namespace {

bool says(const char* setting, const char* word) {
  char text[256];
  const std::string path = std::string("/sys/kernel/mm/transparent_hugepage/") + setting;
  atrium_read_file(path.c_str(), text, sizeof text);
  return std::strstr(text, word) != nullptr;
}

// Where the kernel gives large pages to private memory unasked and none to shared memory, the program's own work on shared
// memory would be slower.
bool would_have_small_pages() {
  static const bool would = says("enabled", "[always]") && !says("shmem_enabled", "[always]") &&
                            !says("shmem_enabled", "[within_size]") && !says("shmem_enabled", "[force]");
  return would;
}

bool is_worth_exporting(MPI_Aint size, MPI_Info hints) {
  using namespace atrium::mpi;
  return size > 0 && hints == MPI_INFO_NULL && has_world() && ranks_started_here() != 1 &&
         my_settings().alloc == AllocMemory::shared && my_settings().alltoall != Mode::never &&
         my_settings().read != Mode::never && !would_have_small_pages();
}

}  // namespace

// `base` is the address of a pointer of any type.
ATRIUM_ENTRY int MPI_Alloc_mem(MPI_Aint size, MPI_Info hints, void* base) {
  if (base && is_worth_exporting(size, hints))
    if (void* memory = atrium::mpi::allocate_exported_memory(static_cast<std::size_t>(size))) {
      std::memcpy(base, &memory, sizeof memory);
      return MPI_SUCCESS;
    }
  return PMPI_Alloc_mem(size, hints, base);
}

ATRIUM_ENTRY int MPI_Free_mem(void* memory) {
  return memory && atrium::mpi::free_exported_memory(memory) ? MPI_SUCCESS : PMPI_Free_mem(memory);
}
