// The routine that was called and the address that it was called from.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace atrium::interpose {

enum class Routine : uint16_t {
  unknown,
  load,  // what a checker of loads and stores reports beside routines
  store,
  atomic,
  lock,
#define INTERPOSED_ROUTINE(name, operation) name,
#include "interpose/generated/routines.inc"
#undef INTERPOSED_ROUTINE
  count,
  first_own = 2560,  // those of other interfaces than OpenSHMEM, of which a tool has the names
  end = 4096,        // tools keep a routine in twelve bits
};
static_assert(Routine::count <= Routine::first_own);

// Of the routines from first_own on; null: the tool has none.
extern const char* (*name_of_own)(Routine routine);

const char* name_of(Routine routine);
// What it does, whatever its types: "put" of shmem_long_put, "atomic_fetch_inc_nbi"; as the tables in api/ call it.
const char* operation_of(Routine routine);

struct Site {
  Routine routine;
  void* caller;
};

}  // namespace atrium::interpose
