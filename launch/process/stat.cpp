// "pid (name) state parent ...", where the name may hold anything, brackets and line ends included.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/process/stat.hpp"

#include <cstdio>
#include <string>

#include "os/small_file.hpp"

namespace atrium {

ProcessStat stat_of(pid_t pid) {
  const std::string text = read_small_file("/proc/" + std::to_string(pid) + "/stat");
  const size_t name_end = text.rfind(')');
  ProcessStat stat;
  if (name_end != std::string::npos)
    std::sscanf(text.c_str() + name_end + 1, " %c %d", &stat.state, &stat.parent);
  return stat;
}

}  // namespace atrium
