// Answers the queries for the version and the name of the library.
// SPDX-License-Identifier: BSD-3-Clause
#include <cstring>

#include "check/check.hpp"
#include "job/job.hpp"
#include "shmem/constants.h"

namespace atrium {

void info_get_version(int* major, int* minor) {
  require_result("major", major);
  require_result("minor", minor);
  *major = SHMEM_MAJOR_VERSION;
  *minor = SHMEM_MINOR_VERSION;
}

void info_get_name(char* name) {
  require_result("name", name);
  static_assert(sizeof SHMEM_VENDOR_STRING <= SHMEM_MAX_NAME_LEN);
  std::memcpy(name, SHMEM_VENDOR_STRING, sizeof SHMEM_VENDOR_STRING);
}

}  // namespace atrium
