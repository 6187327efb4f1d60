// By /proc/self/exe: the installation may have been moved.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/process/installation.hpp"

#include <unistd.h>

#include <climits>
#include <cstdlib>

namespace atrium {

std::string own_folder() {
  char path[PATH_MAX];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
  const std::string file(path, length > 0 ? static_cast<size_t>(length) : 0);
  return file.substr(0, file.rfind('/'));
}

std::string own_library(const std::string& name) {
  for (const char* folder : {"/../lib/", "/../" ATRIUM_LIBRARIES "/"}) {
    char* const real = realpath((own_folder() + folder + name).c_str(), nullptr);
    if (!real) continue;
    std::string found = real;
    std::free(real);
    return found;
  }
  return {};
}

}  // namespace atrium
