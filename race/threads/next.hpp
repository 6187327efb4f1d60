// Finds the OpenMP library's own routine, in front of which the race checker has put a wrapper.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <dlfcn.h>

#include <type_traits>

#define NEXT(type, name) \
  static const auto next = reinterpret_cast<std::add_pointer_t<type>>(dlsym(RTLD_NEXT, #name))
