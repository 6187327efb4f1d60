// Answers which way is faster for a size class: by what is noted of the class itself, or else of its neighbours.
// SPDX-License-Identifier: BSD-3-Clause
#include "choice/experience.hpp"

namespace atrium::mpi {

void Experience::note(int kind, int size_class, Way way) {
  const std::uint64_t bit = std::uint64_t{1} << size_class;
  (way == Way::own ? own : mpi)[kind] |= bit;
  (way == Way::own ? mpi : own)[kind] &= ~bit;
}

void Experience::note(const Experience& later) {
  for (int kind = 0; kind < call_kinds; ++kind) {
    mpi[kind] = (mpi[kind] & ~later.own[kind]) | later.mpi[kind];
    own[kind] = (own[kind] & ~later.mpi[kind]) | later.own[kind];
  }
}

Findings Experience::findings(int kind, int size_class) const {
  const std::uint64_t itself = std::uint64_t{1} << size_class, neighbours = itself << 1 | itself >> 1;
  const std::uint64_t which = (mpi[kind] | own[kind]) & itself ? itself : neighbours;
  return {(mpi[kind] & which) != 0, (own[kind] & which) != 0};
}

}  // namespace atrium::mpi
