// The arguments of an all-to-all's entry point as the two sides of an exchange.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "exchange/exchange.hpp"

namespace atrium::mpi {

// What is sent comes as const. A side is one type for both directions, and nothing is written to that one.
inline void* writable(const void* buffer) { return const_cast<void*>(buffer); }

inline Side uniform(const void* buffer, MPI_Aint count, MPI_Datatype type) {
  return {writable(buffer), count, {}, {}, type, nullptr};
}

inline Side varying(const void* buffer, PerRank counts, PerRank displacements, MPI_Datatype type) {
  return {writable(buffer), 0, counts, displacements, type, nullptr};
}

inline Side mixed(const void* buffer, PerRank counts, PerRank displacements, const MPI_Datatype* types) {
  return {writable(buffer), 0, counts, displacements, MPI_DATATYPE_NULL, types};
}

}  // namespace atrium::mpi
