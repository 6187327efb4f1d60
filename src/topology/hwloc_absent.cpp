// Stands in for hwloc.cpp where there is no hwloc: in builds without its header, and in the static library,
// because a static program cannot open a library at run time.
// SPDX-License-Identifier: BSD-3-Clause
#include "topology/cores.hpp"

namespace atrium {

Result<std::vector<Core>> ask_hwloc(const std::vector<int>&) {
  return Error{"cannot tell which cores share a cache or a NUMA node",
               "this build of Atrium, or this statically linked program, has no hwloc", "asking hwloc",
               "a build with libhwloc-dev"};
}

}  // namespace atrium
