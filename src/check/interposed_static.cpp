// In the static library a tool is linked into the executable, so that some shmem_X is not pshmem_X.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <iterator>

#include "check/interposed.hpp"
#include "pshmem.h"

namespace atrium {
namespace {

using AnyRoutine = void (*)();
struct RoutinePair {
  AnyRoutine seen;  // filled in by the linker: what a call of shmem_X reaches
  AnyRoutine own;
};

const RoutinePair pairs[] = {
#define ATRIUM_INLINED(name)                                            \
  {reinterpret_cast<AnyRoutine>(static_cast<decltype(&p##name)>(name)), \
   reinterpret_cast<AnyRoutine>(p##name)},
#include "check/inlined.inc"
};

}  // namespace

bool interposed() {
  return std::any_of(std::begin(pairs), std::end(pairs),
                     [](const RoutinePair& pair) { return pair.seen != pair.own; });
}

}  // namespace atrium
