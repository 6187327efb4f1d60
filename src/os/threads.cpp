// Lists this process's threads and their states in /proc/self/task.
// SPDX-License-Identifier: BSD-3-Clause
#include "os/threads.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "atrium_system.hpp"
#include "symbols/mappings.hpp"

namespace atrium {
namespace {

constexpr const char* tasks = "/proc/self/task";

bool is_of_this_process_alone(uintptr_t address) {
  const std::vector<MapsLine> mappings = mappings_of(this_process());
  return std::any_of(mappings.begin(), mappings.end(),
                     [&](const MapsLine& mapping) { return mapping.has(address) && mapping.is_private; });
}

// "202 0x7f.. 0x189 0x0 0x0 ...": the call's number and its arguments; "running" for a thread that is in none.
// A join waits as where other processes may wake it, since it is the kernel that does; but no other process has the memory of its word.
bool sleeps_until_woken(const std::string& call) {
  char* at = nullptr;
  const long number = std::strtol(call.c_str(), &at, 10);
  if (call.empty() || at == call.c_str() || number != SYS_futex) return false;
  uint64_t arguments[4];  // the word, the operation, the value expected, the time limit
  for (uint64_t& argument : arguments) argument = std::strtoull(at, &at, 16);
  const auto operation = static_cast<int>(arguments[1]);
  const int command = operation & FUTEX_CMD_MASK;
  if ((command != FUTEX_WAIT && command != FUTEX_WAIT_BITSET) || arguments[3] != 0) return false;
  return (operation & FUTEX_PRIVATE_FLAG) != 0 || is_of_this_process_alone(arguments[0]);
}

}  // namespace

std::vector<pid_t> thread_ids() {
  std::vector<pid_t> ids = numbers_in(tasks);
  std::sort(ids.begin(), ids.end());
  return ids;
}

std::vector<ThreadSample> sample_threads() {
  std::vector<ThreadSample> threads;
  for (const pid_t id : thread_ids()) {
    const std::string folder = std::string(tasks) + "/" + std::to_string(id);
    threads.push_back({id, sleeps_until_woken(read_small_file(folder + "/syscall")),
                       number_behind(read_small_file(folder + "/status"), "\nvoluntary_ctxt_switches:")});
  }
  return threads;
}

std::vector<pid_t> running_threads() {
  std::vector<pid_t> ids = thread_ids();
  std::erase_if(ids, [](pid_t id) {
    const std::string stat = read_small_file(std::string(tasks) + "/" + std::to_string(id) + "/stat");
    const size_t name_end = stat.rfind(')');
    return name_end == std::string::npos || stat.compare(name_end, 3, ") Z") == 0;
  });
  return ids;
}

pid_t this_thread() { return static_cast<pid_t>(syscall(SYS_gettid)); }

ProcessSample sample_process() {
  const std::string status = read_small_file("/proc/self/status");
  return {number_behind(status, "SigCgt:", 16), number_behind(status, "TracerPid:") != 0};
}

}  // namespace atrium
