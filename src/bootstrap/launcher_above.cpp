// Looks for a launcher that has started this process, where the variables that would say so are not there.
// SPDX-License-Identifier: BSD-3-Clause
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "atrium_system.hpp"
#include "bootstrap/bootstrap.hpp"
#include "lobby/lobby.hpp"
#include "os/process_stat.hpp"

namespace atrium {
namespace {

constexpr size_t most_generations = 64;  // between a launcher and a program

// A file of a name is no launcher's, and a device or a pipe may neither be read nor opened for a look.
bool has_no_name(const struct stat& file) { return S_ISREG(file.st_mode) && file.st_nlink == 0; }

bool is_memory_of_a_job(int descriptor) {
  struct stat file {};
  return ::fstat(descriptor, &file) == 0 && has_no_name(file) && pes_of_lobby(descriptor) > 1;
}

bool inherits_memory_of_a_job() {
  const std::vector<int> open = numbers_in("/proc/self/fd");
  return std::any_of(open.begin(), open.end(), is_memory_of_a_job);
}

// The memory of its job, opened once more; -1: it has none of several PEs, or lets nobody see it.
int open_memory_of(pid_t launcher) {
  const std::string folder = "/proc/" + std::to_string(launcher) + "/fd/";
  for (const int number : numbers_in(folder)) {
    const std::string path = folder + std::to_string(number);
    struct stat file {};
    if (::stat(path.c_str(), &file) != 0 || !has_no_name(file)) continue;
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor >= 0 && pes_of_lobby(descriptor) > 1) return descriptor;
    if (descriptor >= 0) ::close(descriptor);
  }
  return -1;
}

// What a PE starts is none of its job, whatever became of the variables.
bool has_job_without(pid_t launcher, const std::vector<pid_t>& between) {
  const int memory = open_memory_of(launcher);
  if (memory < 0) return false;
  const std::vector<pid_t> pes = registered_pes(memory);
  ::close(memory);
  return std::none_of(between.begin(), between.end(),
                      [&](pid_t process) { return std::find(pes.begin(), pes.end(), process) != pes.end(); });
}

std::optional<pid_t> oshrun_above() {
  std::vector<pid_t> between;
  for (pid_t pid = ::getppid(); pid > 0 && between.size() < most_generations;) {
    const ProcessStat stat = stat_of(pid);
    if (stat.name == "oshrun") return has_job_without(pid, between) ? std::optional(pid) : std::nullopt;
    between.push_back(pid);
    pid = stat.parent;
  }
  return {};
}

}  // namespace

// Who has removed the descriptor's variable alone wants a job of one PE.
std::optional<pid_t> launcher_of_lost_variables() {
  if (std::getenv(job_variable::id)) return {};
  const std::optional<pid_t> oshrun = oshrun_above();
  return oshrun || !inherits_memory_of_a_job() ? oshrun : ::getppid();
}

std::string mpi_launcher_above() {
  constexpr std::string_view names[] = {"mpirun",  "mpiexec", "orterun",        "orted",
                                        "prterun", "prted",   "hydra_pmi_proxy"};
  const std::string name = stat_of(::getppid()).name;
  const bool known = std::any_of(std::begin(names), std::end(names),
                                 [&](std::string_view one) { return name.starts_with(one); });
  return known ? name : "";
}

}  // namespace atrium
