// What the Fortran entry points have in common.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include "atrium_mpi_handles.h"
#include "interpose/entry.hpp"

namespace atrium::mpi {

// `error` may be absent in mpi_f08.
inline void answer(int status, MPI_Fint* error) {
  if (error) *error = status;
}

}  // namespace atrium::mpi

// The other names under which compilers and mpi_f08 ask for the same function.
#define ATRIUM_ALIAS(original, name) ATRIUM_ENTRY decltype(original) name __attribute__((alias(#original)))
#define ATRIUM_ALIASES(lower, upper) \
  ATRIUM_ALIAS(lower##_, lower);     \
  ATRIUM_ALIAS(lower##_, lower##__); \
  ATRIUM_ALIAS(lower##_, upper);     \
  ATRIUM_ALIAS(lower##_, lower##_f08_)
