// Looks for obstacles among the libraries that the process has loaded.
// SPDX-License-Identifier: BSD-3-Clause
#include "settings/obstacles.hpp"

#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <string_view>

namespace atrium::mpi {
namespace {

// Open MPI 5 says it by a variable of its library (mpirun --with-ft ulfm), MPICH by its setting.
bool survives_ranks() {
  const auto* open_mpi = static_cast<const bool*>(dlsym(RTLD_DEFAULT, "ompi_ftmpi_enabled"));
  const char* mpich = std::getenv("MPIR_CVAR_ENABLE_FT");
  return (open_mpi && *open_mpi) || (mpich && *mpich && *mpich != '0');
}

// What every program that uses the GPUs of their makers has, linked to it or loaded by its runtime. The driver of NVIDIA's is where
// such a GPU is. The libraries of the others are also loaded by MPIs of distributions (Debian 13), on machines that have none: there
// the kernel has no device for them.
struct GpuLibrary {
  std::string_view name;
  const char* device;
};
constexpr GpuLibrary gpu_libraries[] = {
    {"libcuda.so", nullptr}, {"libamdhip64.so", "/dev/kfd"}, {"libze_loader.so", "/dev/dri"}};

int may_use_gpu(dl_phdr_info* library, size_t, void*) {
  std::string_view name = library->dlpi_name;
  name.remove_prefix(name.rfind('/') + 1);
  return std::any_of(std::begin(gpu_libraries), std::end(gpu_libraries), [name](const GpuLibrary& known) {
    return name.starts_with(known.name) && (!known.device || ::access(known.device, F_OK) == 0);
  });
}

}  // namespace

std::uint64_t obstacles_here() {
  return (survives_ranks() ? outlives_ranks : 0) | (dl_iterate_phdr(may_use_gpu, nullptr) ? uses_gpu : 0);
}

const char* describe_obstacles(std::uint64_t obstacles) {
  if (obstacles & outlives_ranks) return "the job goes on when a rank dies, for which Atrium would wait";
  return "a rank has a GPU's library, and Atrium copies by the CPU; ATRIUM_ALLTOALL=always says that no "
         "buffer is a GPU's";
}

}  // namespace atrium::mpi
