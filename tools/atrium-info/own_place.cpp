// Finds this program by /proc/self/exe, and the installed documentation relative to it.
// SPDX-License-Identifier: BSD-3-Clause
#include "atrium-info/own_place.hpp"

#include <unistd.h>

#include <climits>
#include <cstdlib>
#include <string>

#include "atrium_system.hpp"

namespace atrium {

std::string beside(const std::string& path, const std::string& name) {
  return path.substr(0, path.rfind('/') + 1) + name;
}

std::string documentation() {
  char folder[PATH_MAX];
  if (!::realpath(beside(path_of_this_program(), ATRIUM_DOCUMENTATION).c_str(), folder))
    return "not installed";
  std::string found;
  for (const char* part : {"examples/README.md", "manual/index.html"})
    if (::access((std::string(folder) + "/" + part).c_str(), R_OK) == 0)
      found += (found.empty() ? " (" : ", ") + std::string(part);
  return folder + (found.empty() ? "" : found + ")");
}

}  // namespace atrium
