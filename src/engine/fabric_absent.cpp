// Stands in for libfabric.cpp where there is none: in builds without its headers, and in the static library,
// because a static program cannot open a library at run time.
// SPDX-License-Identifier: BSD-3-Clause
#include "engine/libfabric.hpp"

namespace atrium {
namespace {

Error no_fabric() {
  return Error{"cannot use libfabric",
               "this build of Atrium, or this statically linked program, has no libfabric",
               "opening the network",
               "ATRIUM_ENGINE=auto, by which nodes meet over TCP, or the shared library of a build with "
               "libfabric-dev"};
}

}  // namespace

Result<FoundEngine> find_libfabric(const NetworkRequest&, std::vector<ProviderFinding>&) {
  return no_fabric();
}
Result<EngineFindings> describe_libfabric(const NetworkRequest&) { return no_fabric(); }
int place_in_libfabric(std::string_view) { return -1; }

}  // namespace atrium
