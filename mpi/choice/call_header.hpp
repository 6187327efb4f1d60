// What a rank, or a node, says of a call before others take its data.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>

namespace atrium::mpi {

// The strongest verdict of all ranks counts; unless it is `go` or `truncated`, nobody has lost what it sends.
enum class CallVerdict : std::uint64_t {
  go = 0,  // the data is there
  truncated =
      1,  // a message was longer than the receivers' counts: their error, which other nodes do not see
  no_data =
      2,  // a node expects that the MPI's routine will run, and has said no more than how large the call is
  fallback = 3,   // a rank could not pack its data
  too_small = 4,  // the buffers are: `need` says how much is wanted
};

constexpr bool is_known(CallVerdict verdict) { return verdict <= CallVerdict::too_small; }

// On a node each rank writes one; between nodes it travels in front of the data.
struct CallHeader {
  CallVerdict verdict;
  std::uint64_t need;    // bytes that a rank's share of the buffer must have
  std::uint64_t widest;  // bytes per pair, in the mean, of the rank that sends most: the call's size class
};

// The stronger verdict, and the larger of both wants.
inline CallHeader stronger(const CallHeader& a, const CallHeader& b) {
  return {std::max(a.verdict, b.verdict), std::max(a.need, b.need), std::max(a.widest, b.widest)};
}

}  // namespace atrium::mpi
