// Which kernel copies how many bytes, in which direction.
// SPDX-License-Identifier: BSD-3-Clause
//
// Words.      A *plan* has *bands* for each direction: from so many bytes on, this kernel; below the first
//             band libc's memcpy. *Put*: the destination is a peer's, whose cache probably has its lines.
//             *Get*: the source is a peer's, the destination mine.
//
// As text, in ATRIUM_COPY and in thresholds.table:
//
//     put:512K=rep_movsb,32M=avx512;get:2K=avx512_cached,32K=rep_movsb
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "copy/kernels.hpp"
#include "core/result.hpp"

namespace atrium {

// Smaller blocks, and those of this size, are no kernel's, whatever a rule says (copy/small.hpp).
inline constexpr size_t copied_inline = 64;

struct CopyBands {
  static constexpr int most = 4;
  struct Band {
    size_t from;  // bytes
    const CopyKernel* kernel;
  };
  static constexpr size_t beyond_memory = size_t{1} << 63;
  // What is smaller is no kernel's: where the first band begins, but more than copied_inline.
  size_t first = beyond_memory;
  int count = 0;
  std::array<Band, most> bands{};  // growing

  size_t begin() const { return count > 0 ? bands[0].from : beyond_memory; }
};

struct CopyPlan {
  CopyBands put, get;
};

// A rule, or the name of a kernel that is to copy all but small blocks in both directions. An Error says what
// is wrong with the text, or which kernel does not run here.
Result<CopyPlan> parse_copy_plan(std::string_view text, const Processor& processor);
// As a rule; "" where libc copies everything.
std::string describe(const CopyPlan& plan);

// The plan that measurements found best for that processor. `model` is its name, "" if it was not measured;
// then the plan is libc for everything.
struct MeasuredPlan {
  const char* model;
  const char* rule;
};
MeasuredPlan measured_copy_plan(const Processor& processor);

}  // namespace atrium
