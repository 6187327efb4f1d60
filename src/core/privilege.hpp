// Whether this program runs with more rights than its caller, so that the environment must not be trusted.
// SPDX-License-Identifier: BSD-3-Clause
//
// A program with the set-user-ID or set-group-ID bit or with file capabilities runs with rights that its caller does not
// have. The caller writes the environment and leaves descriptors open: neither may lead such a program anywhere.
#pragma once

#include <sys/auxv.h>

#include <cstdlib>

namespace atrium {

inline bool is_privileged() { return getauxval(AT_SECURE) != 0; }

// A variable of the environment; nullptr for a program with rights that its caller does not have.
inline const char* trusted_variable(const char* name) {
  return is_privileged() ? nullptr : std::getenv(name);
}

}  // namespace atrium
