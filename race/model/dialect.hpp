// What differs between the programs that can be checked. A library of the checker has one: openshmem/dialect.cpp or mpi/dialect.cpp.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "race/shadow/shared_memory.hpp"

namespace atrium::race {

struct Dialect {
  const char* process;    // what reports call one
  bool checks_by_itself;  // without ATRIUM_RACES=on
  bool volatiles_order;   // a volatile store releases, a volatile load acquires; the two are no race
  const char* to_order;   // what a report says to try: between accesses of two processes,
  const char* same_type;  // between atomic operations of two kinds
  // By which the check may miss races: for each limit that was met, what the call has met, and what follows from it.
  struct Words {
    const char *cause, *effect;
  } limits[most_limits];
};
extern const Dialect dialect;

}  // namespace atrium::race
