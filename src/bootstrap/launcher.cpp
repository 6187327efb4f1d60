// Started by oshrun: everything is in the environment and in an inherited descriptor.
// SPDX-License-Identifier: BSD-3-Clause
#include <fcntl.h>

#include <cstdlib>
#include <string>

#include "bootstrap/bootstrap.hpp"
#include "lobby/lobby.hpp"

namespace atrium {
namespace {

class Launched final : public Bootstrap {
 public:
  Launched(Placement placement, int job_memory) : Bootstrap(std::move(placement), job_memory) {}
  const char* kind() const override { return "launcher"; }
};

// The number in a variable, -1 if it is missing or none.
int number_in(const char* variable) {
  const char* text = std::getenv(variable);
  char* end = nullptr;
  const long value = text ? std::strtol(text, &end, 10) : -1;
  return text && end != text && *end == '\0' && value >= 0 && value <= 1 << 24 ? static_cast<int>(value) : -1;
}

Error bad_environment() {
  return Error{"cannot join the job of oshrun", "its ATRIUM_JOB_* variables are damaged or from another job",
               "reading the environment", "unset ATRIUM_JOB_FD, or starting the program with oshrun"};
}

}  // namespace

bool launcher_is_there() { return std::getenv(job_variable::fd) != nullptr; }

BootstrapResult join_launcher() {
  const int descriptor = number_in(job_variable::fd);
  const int me = number_in(job_variable::pe);
  const int npes = number_in(job_variable::pes);
  if (descriptor < 0 || me < 0 || me >= npes || ::fcntl(descriptor, F_SETFD, FD_CLOEXEC) != 0)
    return bad_environment();
  // Children of this PE are not PEs of this job: they find neither the descriptor nor the variables.
  for (const char* name : {job_variable::fd, job_variable::pe, job_variable::pes}) ::unsetenv(name);
  return std::unique_ptr<Bootstrap>(new Launched(Placement::on_one_node(me, npes), descriptor));
}

}  // namespace atrium
