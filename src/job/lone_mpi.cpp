// Asks MPI whether it is initialised, if some library of the process is an MPI: PMPI_Initialized may be called at any time.
// SPDX-License-Identifier: BSD-3-Clause
#include "job/lone_mpi.hpp"

#include <dlfcn.h>

#include <string>
#include <string_view>

#include "atrium_system.hpp"
#include "core/log.hpp"
#include "core/settings.hpp"
#include "topology/placement.hpp"

namespace atrium {
namespace {

bool mpi_is_initialised() {
  const auto ask = reinterpret_cast<int (*)(int*)>(::dlsym(RTLD_DEFAULT, "PMPI_Initialized"));
  int initialised = 0;
  return ask && ask(&initialised) == 0 && initialised;
}

// A launcher that MPI knows tells it by such variables. Those the process began with: MPI_Init sets some itself.
bool has_launcher_of_mpi() {
  const std::string environment = '\0' + read_small_file("/proc/self/environ");
  for (const std::string_view beginning : {"PMI_SIZE=", "PMI_FD=", "PMIX_RANK=", "OMPI_COMM_WORLD_SIZE=",
                                           "SLURM_STEP_NUM_TASKS=", "PALS_SIZE=", "FLUX_TASK_RANK="})
    if (environment.find('\0' + std::string(beginning)) != std::string::npos) return true;
  return false;
}

}  // namespace

void note_lone_mpi(const char* bootstrap) {
  static bool said = false;
  if (said || placement.me() != 0 || placement.pes() == 1 || bootstrap != std::string_view("launcher"))
    return;
  if (flag_setting("ATRIUM_QUIET") || !mpi_is_initialised() || has_launcher_of_mpi()) return;
  said = true;
  const std::string pes = std::to_string(placement.pes());
  warn("oshrun starts no ranks of MPI: in MPI_COMM_WORLD each of the " + pes +
       " PEs is rank 0 of 1; try Open MPI's mpirun -n " + pes + " PROGRAM, which starts both");
}

}  // namespace atrium
