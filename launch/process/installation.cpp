// Finds the other parts of the installation beside this program, since the installation may have been moved.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/process/installation.hpp"

#include <cstdlib>

#include "atrium_system.hpp"

namespace atrium {

std::string own_folder() {
  const std::string file = path_of_this_program();
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
