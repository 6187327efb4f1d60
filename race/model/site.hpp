// Where a routine was called, and how that becomes an origin that is the same on all PEs.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include "race/shadow/slot.hpp"

namespace atrium::race {

enum class Routine : uint16_t {
  unknown,
  load,
  store,
  atomic,
  lock,
#define RACE_ROUTINE(name) name,
#include "race/generated/routines.inc"
#undef RACE_ROUTINE
  count,
};

const char* name_of(Routine routine);

struct Site {
  Routine routine;
  void* caller;
};

// Which module an address belongs to, for the job: registers modules that nobody has named yet.
Origin origin_of(const Site& site, size_t bytes);

}  // namespace atrium::race
