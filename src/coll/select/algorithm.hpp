// What the selection knows of an algorithm, and of the rule that prefers it.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <climits>
#include <cstddef>
#include <cstdint>

namespace atrium {

// One algorithm of a family; Run is the family's signature. The limits say what it can do, not when it is
// good.
template <class Run>
struct Algorithm {
  const char* name;  // in SHMEM_<COLL>_ALGORITHM, in the test suite, of the file
  Run* run;
  size_t most_bytes = SIZE_MAX;
  int most_members = INT_MAX;

  bool can(int members, size_t bytes) const { return members <= most_members && bytes <= most_bytes; }
};

// oversubscribed: there are more PEs than CPUs. spread: the members are in several caches or NUMA nodes.
enum class When { always, oversubscribed, spread };

// "For teams up to so many members, and up to so many bytes, use this." The first rule that holds wins.
template <class Run>
struct Rule {
  int members;
  size_t bytes;
  When when;
  const Algorithm<Run>* algorithm;
};

inline constexpr int any_members = INT_MAX;
inline constexpr size_t any_bytes = SIZE_MAX;

}  // namespace atrium
