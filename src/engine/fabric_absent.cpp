// Stands in for libfabric.cpp where there is none: in builds without its headers, and in the static library,
// because a static program cannot open a library at run time.
// SPDX-License-Identifier: BSD-3-Clause
#include "engine/libfabric.hpp"

namespace atrium {
namespace {

Error no_fabric() {
  return Error{
      "cannot connect the nodes of this job",
      "this build of Atrium, or this statically linked program, has no libfabric", "opening the network",
      "keeping the job on one node, or linking with the shared library of a build with libfabric-dev"};
}

}  // namespace

FabricWishes fabric_wishes(bool) { return {}; }
Result<std::unique_ptr<FoundFabric>> find_libfabric(const FabricWishes&) { return no_fabric(); }
EngineResult open_libfabric(const FabricWishes&) { return no_fabric(); }
Result<FabricFindings> look_at_fabric(const FabricWishes&) { return no_fabric(); }

}  // namespace atrium
