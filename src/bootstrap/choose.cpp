// Finds out which launcher has started this process, and joins the job that it describes.
// SPDX-License-Identifier: BSD-3-Clause
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <string>

#include "atrium_nameless_memory.hpp"
#include "bootstrap/bootstrap.hpp"
#include "core/log.hpp"
#include "core/privilege.hpp"

namespace atrium {
namespace {

constexpr const char* pmix_launchers = "a launcher with PMIx: Open MPI's mpirun, prterun, srun --mpi=pmix";
constexpr const char* slurm_remedy =
    "srun --mpi=pmix, which MpiDefault=pmix in slurm.conf makes the default (srun --mpi=list says what there "
    "is; Debian: slurm-wlm-basic-plugins)";

// A launcher that we cannot join, known by a variable with its number of tasks.
struct ForeignLauncher {
  const char* size_variable;
  const char* rank_variable;  // it also sets this for tasks (a batch script has the first one alone)
  const char* name;
  const char* remedy;
};

// Slurm first: its PMI-2 also sets what MPICH's launcher does.
constexpr ForeignLauncher foreign_launchers[] = {
    {"SLURM_STEP_NUM_TASKS", "SLURM_PROCID", "srun without --mpi=pmix", slurm_remedy},
    {"PMI_SIZE", "PMI_RANK", "MPICH's mpiexec (hydra, PMI-1)", nullptr},
    {"MPI_LOCALNRANKS", "MPI_LOCALRANKID", "MPICH's mpiexec (hydra)", nullptr},
    {"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "Open MPI's mpirun", nullptr},
    {"PALS_SIZE", "PALS_RANKID", "PALS (aprun, mpiexec)", nullptr},
};

bool pmix_is_there() { return std::getenv("PMIX_RANK") && std::getenv("PMIX_NAMESPACE"); }

// -1: it has not started this process.
int tasks_of(const ForeignLauncher& launcher) {
  const char* size = std::getenv(launcher.size_variable);
  return size && std::getenv(launcher.rank_variable) ? std::atoi(size) : -1;
}

// All tasks of a launcher find the same, and one on each node prints it: the first that binds a socket name made of the launcher's
// process id. It keeps the name as long as it lives, so that one that comes later may be another first.
bool is_first_of_tasks(pid_t launcher) {
  sockaddr_un address{AF_UNIX, {}};
  const std::string name = "atrium-refusal-" + std::to_string(::getuid()) + "-" + std::to_string(launcher);
  name.copy(address.sun_path + 1, sizeof address.sun_path - 1);  // abstract: not in the file system
  const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  const int holder = beyond_streams(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  return ::bind(holder, reinterpret_cast<const sockaddr*>(&address), length) == 0 || errno != EADDRINUSE;
}

[[noreturn]] void refuse_once(const Error& error, pid_t launcher = ::getppid()) {
  if (!is_first_of_tasks(launcher)) std::_Exit(1);
  report(error);
  ::sleep(1);  // until the others have found the name taken
  std::_Exit(1);
}

// Not refused: that launcher may have started one task, and a driver's parts may be jobs of their own.
void mention_once(const std::string& launcher) {
  if (is_first_of_tasks(::getppid()))
    note(
        "this is a job of one PE: " + launcher +
        " has started this program, but its variables were removed, as env -i does; try a wrapper that keeps "
        "PMIX_*");
}

Error cannot_join(const ForeignLauncher& launcher, int tasks) {
  const std::string n = std::to_string(tasks);
  return Error{"this program was started as " + n + " tasks by a launcher that Atrium cannot join",
               std::string(launcher.name) + " offers no PMIx server", "shmem_init",
               launcher.remedy ? launcher.remedy : "oshrun -n " + n + " PROGRAM (or " + pmix_launchers + ")"};
}

Error untrusted() {
  return Error{"cannot join the job of the launcher that started this program",
               "this program has more rights than its caller (set-user-ID, set-group-ID or capabilities), "
               "who wrote the "
               "environment that says where the launcher is",
               "looking for the other PEs", "a program without such rights"};
}

}  // namespace

BootstrapResult join_job(JoinNotice notice) {
  if (launcher_is_there()) return join_launcher();
  if (pmix_is_there()) return is_privileged() ? BootstrapResult(untrusted()) : join_pmix(notice);
  bool is_task = false;
  for (const ForeignLauncher& launcher : foreign_launchers) {
    const int tasks = tasks_of(launcher);
    if (tasks > 1) refuse_once(cannot_join(launcher, tasks));
    is_task |= tasks >= 0;
  }
  if (const auto launcher = launcher_of_lost_variables()) refuse_once(lost_variables(), *launcher);
  if (const std::string launcher = is_task ? "" : mpi_launcher_above(); !launcher.empty())
    mention_once(launcher);
  return be_single();
}

}  // namespace atrium
