// Opens a file that another process of the same user has open, by /proc/PID/fd/NUMBER.
// SPDX-License-Identifier: BSD-3-Clause
#include "os/peer_descriptor.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "atrium_nameless_memory.hpp"
#include "atrium_system.hpp"
#include "os/process_stat.hpp"

namespace atrium {

void wait_to_be_ended(pid_t process) {
  constexpr unsigned patience_s = 10;
  if (stat_of(process).ends) sleep(patience_s);
}

Result<int> open_descriptor_of(pid_t owner, int number, const char* without) {
  constexpr const char* what = "cannot open the job's memory";
  if (::access("/proc/self/fd", F_OK) == 0 && !proc_has_own_numbers())
    return Error{
        what,
        "/proc is that of another PID namespace, where process " + std::to_string(owner) + " is another one",
        {},
        "mount -t proc proc /proc, as unshare --mount-proc does"};
  const std::string path = "/proc/" + std::to_string(owner) + "/fd/" + std::to_string(number);
  const int descriptor = beyond_streams(::open(path.c_str(), O_RDWR | O_CLOEXEC));
  const int error = errno;
  if (descriptor < 0 && ::access("/proc/self/fd", F_OK) != 0)
    return Error{what, path + " is not there: /proc is not mounted here", {}, "mount -t proc proc /proc"};
  if (descriptor < 0) wait_to_be_ended(owner);
  errno = error;
  if (descriptor < 0 && errno == ENOENT)
    return Error{
        what,
        "process " + std::to_string(owner) + ", which made it, has ended (or closed its descriptors)",
        {},
        "the reason of its end: its own messages, and oshrun's"};
  if (descriptor < 0) return system_error(what, ("open " + path).c_str()).try_this(without);
  return descriptor;
}

}  // namespace atrium
