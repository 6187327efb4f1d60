// libfabric as it is found at run time: the few functions that its headers do not inline.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <rdma/fabric.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "core/result.hpp"

namespace atrium {

struct FabricLibrary {
  decltype(&fi_getinfo) get_info;
  decltype(&fi_freeinfo) free_info;
  decltype(&fi_dupinfo) copy_info;  // of null: a fresh one
  decltype(&fi_fabric) open_fabric;
  decltype(&fi_strerror) text_of;
  decltype(&fi_version) version;

  // "libfabric.so.1, version 1.17"
  std::string describe(const std::string& file) const;
};

// The version of its interface that Atrium speaks; newer libraries still understand it.
inline constexpr uint32_t fabric_interface = FI_VERSION(1, 15);

// Opens the library once for the process, as `file`, with the environment that its providers want to see: queues are made for so
// many peers as the first who opens it says.
Result<const FabricLibrary*> open_fabric_library(const std::string& file, size_t peers);

}  // namespace atrium
