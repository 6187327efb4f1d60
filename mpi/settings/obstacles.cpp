// Looks for obstacles among the libraries that the process has loaded.
// SPDX-License-Identifier: BSD-3-Clause
#include "settings/obstacles.hpp"

#include <dlfcn.h>
#include <link.h>

#include <cstdlib>
#include <string_view>

namespace atrium::mpi {
namespace {

// Open MPI 5 says it by a variable of its library (mpirun --with-ft ulfm), MPICH by its setting.
bool survives_ranks() {
  const auto* open_mpi = static_cast<const bool*>(dlsym(RTLD_DEFAULT, "ompi_ftmpi_enabled"));
  const char* mpich = std::getenv("MPIR_CVAR_ENABLE_FT");
  return (open_mpi && *open_mpi) || (mpich && *mpich && *mpich != '0');
}

// What every program that uses the GPUs of their makers has, linked to it or loaded by its runtime.
int is_driver(dl_phdr_info* library, size_t, void*) {
  std::string_view name = library->dlpi_name;
  name.remove_prefix(name.rfind('/') + 1);
  return name.starts_with("libcuda.so") || name.starts_with("libamdhip64.so") ||
         name.starts_with("libze_loader.so");
}

}  // namespace

std::uint64_t obstacles_here() {
  return (survives_ranks() ? outlives_ranks : 0) | (dl_iterate_phdr(is_driver, nullptr) ? uses_gpu : 0);
}

const char* describe_obstacles(std::uint64_t obstacles) {
  if (obstacles & outlives_ranks) return "the job goes on when a rank dies, for which Atrium would wait";
  return "a rank has a GPU's library, and Atrium copies by the CPU; ATRIUM_ALLTOALL=always says that no "
         "buffer is a GPU's";
}

}  // namespace atrium::mpi
