// Asks any other copy of this library in the process whether it has been initialised.
// SPDX-License-Identifier: BSD-3-Clause
#include "job/only_copy.hpp"

#include <string>

#include "os/loaded_objects.hpp"

namespace atrium {

Result<void> require_only_copy() {
  const auto other = other_copy_with("shmem_query_initialized");
  if (!other) return {};
  int initialised = 0;
  reinterpret_cast<void (*)(int*)>(const_cast<void*>(other->definition))(&initialised);
  if (!initialised) return {};
  return Error{"two copies of Atrium are in this process",
               std::string(other->path) + " has initialised OpenSHMEM, and " + path_of_this_library() +
                   " is asked to do it again",
               {},
               "one installation for all that is loaded here: programs, Python modules and plugins"};
}

}  // namespace atrium
