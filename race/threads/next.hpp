// The routine of an OpenMP library behind ours.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <dlfcn.h>

#include <type_traits>

#define NEXT(type, name) \
  static const auto next = reinterpret_cast<std::add_pointer_t<type>>(dlsym(RTLD_NEXT, #name))
