// The kinds of calls for which a way is chosen separately.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace atrium::mpi {

enum CallKind {
  equal_blocks,      // of an all-to-all
  different_blocks,  // the same
  // Of those that go our way on a node: Way::mpi is to copy twice, and Way::own to read in the sender's memory.
  reads_of_equal,
  reads_of_different,
  reductions,  // to all ranks, whose result does not depend on the order
  float_sums,  // those whose result does: sums and products of floating-point numbers
  broadcasts,
  barriers
};
inline constexpr int call_kinds = barriers + 1;

// A choice within a call, not one of calls.
constexpr bool is_of_reads(int kind) { return kind == reads_of_equal || kind == reads_of_different; }

// As the report has them.
inline constexpr const char* names_of_kinds[call_kinds] = {"alltoall",  "alltoallv/w", "read",  "read v/w",
                                                           "allreduce", "float sums",  "bcast", "barrier"};

}  // namespace atrium::mpi
