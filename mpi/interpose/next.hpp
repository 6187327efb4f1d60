// The same routine behind this library: a profiler's, which must see it, or the MPI's own.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <dlfcn.h>

namespace atrium::mpi {

// `pmpi`: the MPI's, where no library behind this one has the name.
template <class Routine>
Routine* next_routine(const char* name, Routine* pmpi) {
  void* const found = dlsym(RTLD_NEXT, name);
  return found ? reinterpret_cast<Routine*>(found) : pmpi;
}

}  // namespace atrium::mpi
