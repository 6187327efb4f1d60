// Replaces the program's dlclose(), so that tools forget the objects that it unloads.
// SPDX-License-Identifier: BSD-3-Clause
#include <dlfcn.h>

#include "interpose/objects.hpp"

extern "C" __attribute__((visibility("default"))) int dlclose(void* file) {
  static const auto next = reinterpret_cast<int (*)(void*)>(dlsym(RTLD_NEXT, "dlclose"));
  const int status = next(file);
  atrium::interpose::forget_unloaded_objects();
  return status;
}
