// Turns measured times of copy kernels into a setting for ATRIUM_COPY.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "copy_rounds.hpp"

namespace atrium {

// One size, one direction: the middle of the rounds for each kernel. The last kernel is libc.
struct Sample {
  size_t bytes;
  std::vector<CopyTimes> times;
};

// How many times faster than libc: the geometric mean over the three figures; 0 when one of them is 3 %
// slower, so that no program loses.
double gain_over_libc(const CopyTimes& kernel, const CopyTimes& libc);

// "512K=rep_movsb,32M=avx512" for growing sizes. A kernel must win by 5 % to replace libc, and to replace
// another kernel; a kernel goes on as long as it does not lose.
std::string advise(const std::vector<const CopyKernel*>& kernels, const std::vector<Sample>& samples);

}  // namespace atrium
