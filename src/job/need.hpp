// Takes the value of a result, or ends the job with a message where shmem_init, or another routine, cannot go on without it.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <utility>

#include "core/log.hpp"

namespace atrium {

// The value; an error is printed and ends the job.
template <class T>
T need(Result<T> result) {
  if (!result) fatal(result.error().while_doing("shmem_init"));
  return std::move(*result);
}
inline void need(Result<void> result, const char* routine = "shmem_init") {
  if (!result) fatal(result.error().while_doing(routine));
}

}  // namespace atrium
