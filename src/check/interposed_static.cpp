// In the static library a tool is linked into the executable: some shmem_X is not pshmem_X.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <iterator>

#include "check/interposed.hpp"
#include "pshmem.h"

namespace atrium {
namespace {

using Routine = void (*)();
struct Pair {
  Routine seen;  // filled in by the linker: what everybody's call of shmem_X reaches
  Routine own;
};

const Pair pairs[] = {
#define ATRIUM_INLINED(name) \
  {reinterpret_cast<Routine>(static_cast<decltype(&p##name)>(name)), reinterpret_cast<Routine>(p##name)},
#include "check/inlined.inc"
};

}  // namespace

bool interposed() {
  return std::any_of(std::begin(pairs), std::end(pairs),
                     [](const Pair& pair) { return pair.seen != pair.own; });
}

}  // namespace atrium
