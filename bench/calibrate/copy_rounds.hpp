// Two PEs measure a copy: one of them makes it, both prepare what it meets.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

#include "copy/kernels.hpp"

namespace atrium {

enum class Direction { put, get };

// What one round costs, in ns, on PE 0.
struct CopyTimes {
  double fresh;         // one copy: the source was rewritten by its owner, the destination read by its owner
  double with_reading;  // that, and the owner of the destination reading it
  double again;         // one of many copies between the same buffers
};

// The buffers and the clock; PE 0 copies. Collective, between shmem_init and shmem_finalize.
class CopyRounds {
 public:
  explicit CopyRounds(size_t most_bytes);
  CopyTimes measure(const CopyKernel& kernel, Direction direction, size_t bytes);

 private:
  double time_fresh(const CopyKernel& kernel, void* dest, const void* source, size_t bytes) const;
  double time_again(const CopyKernel& kernel, void* dest, const void* source, size_t bytes) const;

  int me_;
  char *source_, *dest_;
  double* reading_;  // symmetric: how long the owner of the destination has read
};

}  // namespace atrium
