// Reads what the kernel says of a process in /proc/PID/stat, environ, status and fdinfo.
// SPDX-License-Identifier: BSD-3-Clause
#include "os/process_stat.hpp"

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "atrium_system.hpp"

namespace atrium {
namespace {

// A mask of signals, as in "SigCgt:\t0000000000000200".
bool has_signal(const std::string& text, const char* name, int signal) {
  return (number_behind(text, name, 16) >> (signal - 1) & 1) != 0;
}

bool has_signalfd(pid_t pid, int signal) {
  const std::string folder = proc_folder(pid) + "/fdinfo";
  const std::vector<int> descriptors = numbers_in(folder);
  return std::any_of(descriptors.begin(), descriptors.end(), [&](int descriptor) {
    return has_signal(read_small_file(folder + "/" + std::to_string(descriptor)), "sigmask:", signal);
  });
}

}  // namespace

// "pid (name) state parent group session terminal foreground flags ...", where the name may hold anything, brackets and line ends included.
ProcessStat stat_of(pid_t pid) {
  const std::string text = read_small_file(proc_folder(pid) + "/stat");
  const size_t name_begin = text.find('(') + 1, name_end = text.rfind(')');
  ProcessStat stat;
  if (name_end == std::string::npos) return stat;
  stat.name = text.substr(name_begin, name_end - name_begin);
  constexpr unsigned is_exiting = 4;  // PF_EXITING of the kernel
  unsigned flags = is_exiting;
  std::sscanf(text.c_str() + name_end + 1, " %c %d %*d %*d %*d %*d %u", &stat.state, &stat.parent, &flags);
  stat.ends = (flags & is_exiting) != 0;
  return stat;
}

bool has_name(pid_t pid, const std::string& name) { return stat_of(pid).name == name; }

bool has_variable(pid_t pid, const std::string& variable) {
  const std::string environment = '\0' + read_small_file(proc_folder(pid) + "/environ");
  return environment.find('\0' + variable + '\0') != std::string::npos;
}

bool takes_signal(pid_t pid, int signal) {
  const std::string status = read_small_file(proc_folder(pid) + "/status");
  if (has_signal(status, "SigCgt:", signal) || has_signal(status, "SigIgn:", signal)) return true;
  return has_signal(status, "SigBlk:", signal) && has_signalfd(pid, signal);
}

}  // namespace atrium
