// Joins a job of oshrun, which is described by the environment and by an inherited descriptor.
// SPDX-License-Identifier: BSD-3-Clause
#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/stat.h>

#include <cstdlib>
#include <string>

#include "atrium_words.hpp"
#include "bootstrap/bootstrap.hpp"
#include "core/privilege.hpp"
#include "lobby/await_change.hpp"
#include "lobby/lobby.hpp"
#include "os/known_file.hpp"

namespace atrium {
namespace {

class Launched final : public Bootstrap {
 public:
  Launched(Placement placement, int job_memory, int bell, const char* interface)
      : Bootstrap(std::move(placement), job_memory), bell_(bell), across_hosts_(interface) {
    if (interface) interface_ = interface;
  }
  const char* kind() const override { return "launcher"; }
  bool pretends_nodes() const override { return !across_hosts_; }
  std::string interface() const override { return interface_; }

 protected:
  // Notifies the launcher, which copies the blobs from lobby to lobby when every node has notified it
  // (launch/process/bell.hpp, launch/hosts/blobs.hpp).
  Result<void> exchange(LobbyVisit& visit) override {
    if (placement().place() != 0) return {};
    Lobby& lobby = visit.lobby();
    const uint32_t round = lobby.contributed.load(std::memory_order_relaxed) + 1;
    lobby.contributed.store(round, std::memory_order_release);  // SYNC node-contributed
    constexpr const char* what = "cannot reach the other nodes";
    if (!bell_.is_there()) return bell_.lost(what);
    if (::eventfd_write(bell_.descriptor(), 1) != 0) return system_error(what, "eventfd_write");
    await_change(lobby.gathered, round - 1);
    return {};
  }

 private:
  KnownFile bell_;
  bool across_hosts_;
  std::string interface_;
};

// The number in a variable, -1 if it is missing or none.
int number_in(const char* variable) {
  const char* text = std::getenv(variable);
  const int number = parse_number(text ? text : "", 0).value_or(-1);
  return number <= 1 << 24 ? number : -1;
}

Error cannot_join(const std::string& because, const std::string& remedy) {
  return Error{"cannot join the job of oshrun", because, "reading the environment", remedy};
}

// The usual reason is Python's subprocess.
Error lost_descriptor(int descriptor, const std::string& what) {
  return cannot_join("descriptor " + std::to_string(descriptor) +
                         " (ATRIUM_JOB_FD), which leads to the job's memory, " + what +
                         " between oshrun and this program",
                     "a wrapper that leaves it open: in Python subprocess.run(..., close_fds=False), or "
                     "pass_fds=[int(os.environ['ATRIUM_JOB_FD'])]");
}

// The descriptor may be of another file, which must not be changed.
Result<void> require_job_memory(int descriptor) {
  struct stat file {};
  if (::fstat(descriptor, &file) != 0) return lost_descriptor(descriptor, "was closed");
  if (!S_ISREG(file.st_mode) || static_cast<size_t>(file.st_size) < sizeof(Lobby))
    return lost_descriptor(descriptor, "was closed and is another file now");
  if (::fcntl(descriptor, F_SETFD, FD_CLOEXEC) != 0)
    return system_error("cannot join the job of oshrun", "fcntl");
  return {};
}

}  // namespace

Error lost_variables() {
  return cannot_join(
      "its ATRIUM_JOB_* variables were removed between oshrun and this program, as env -i and sudo do",
      "a wrapper that keeps them (sudo oshrun ..., not oshrun ... sudo); for jobs of one PE each, one that "
      "removes ATRIUM_JOB_FD alone");
}

bool launcher_is_there() { return std::getenv(job_variable::fd) != nullptr; }

BootstrapResult join_launcher() {
  if (is_privileged())
    return cannot_join(
        "this program has more rights than its caller (set-user-ID, set-group-ID or capabilities), who wrote "
        "the environment that says where the job's memory is",
        "a program without such rights");
  const int descriptor = number_in(job_variable::fd);
  const int me = number_in(job_variable::pe);
  const Error damaged =
      cannot_join("its ATRIUM_JOB_* variables are damaged or not complete",
                  "starting the program with oshrun (as a job of one PE: without ATRIUM_JOB_FD)");
  if (descriptor < 0 || me < 0) return damaged;
  if (auto ours = require_job_memory(descriptor); !ours) return ours.error();
  auto pes = read_placement(descriptor, me);
  if (!pes) return pes.error();
  const int bell = number_in(job_variable::bell);
  const bool needs_bell = pes->nodes() > 1 && pes->place() == 0;
  if (needs_bell && (bell < 0 || ::fcntl(bell, F_SETFD, FD_CLOEXEC) != 0)) return damaged;
  std::unique_ptr<Bootstrap> joined(
      new Launched(std::move(*pes), descriptor, bell, std::getenv(job_variable::interface)));
  // Children of this PE are not PEs of this job: they find neither the descriptor nor the variables.
  for (const char* name :
       {job_variable::fd, job_variable::pe, job_variable::pes, job_variable::bell, job_variable::interface})
    ::unsetenv(name);
  return joined;
}

}  // namespace atrium
