// Finds a module's number by its name, and registers names that are not there yet.
// SPDX-License-Identifier: BSD-3-Clause
#include "interpose/modules.hpp"

#include <cstdio>
#include <cstring>
#include <mutex>

namespace atrium::interpose {

unsigned number_in(ModuleNames& modules, const char* path) {
  const std::lock_guard guard(modules.lock);
  const uint32_t known = modules.count.load(std::memory_order_relaxed);
  for (uint32_t number = 1; number <= known; ++number)
    if (std::strncmp(modules.name[number].path, path, sizeof(ModuleNames::Name) - 1) == 0) return number;
  if (known == ModuleNames::most) return 0;
  std::snprintf(modules.name[known + 1].path, sizeof(ModuleNames::Name), "%s", path);
  modules.count.store(known + 1, std::memory_order_release);  // SYNC tool-modules
  return known + 1;
}

}  // namespace atrium::interpose
