// Compares the address of each inlined routine, as the program resolves it, with the address of its pshmem_
// twin. SPDX-License-Identifier: BSD-3-Clause
#include "check/interposed.hpp"

#include <algorithm>
#include <iterator>

#include "os/loaded_objects.hpp"
#include "pshmem.h"

namespace atrium {
namespace {

using Routine = void (*)();
struct Pair {
  Routine seen;  // filled in by the linkers: what everybody's call of shmem_X reaches
  Routine own;
};

const Pair pairs[] = {
#define ATRIUM_INLINED(name) \
  {reinterpret_cast<Routine>(static_cast<decltype(&p##name)>(name)), reinterpret_cast<Routine>(p##name)},
#include "check/inlined.inc"
};

bool all_are_ours() {
  return std::all_of(std::begin(pairs), std::end(pairs),
                     [](const Pair& pair) { return pair.seen == pair.own; });
}

}  // namespace

// A difference is a tool, with one exception: in an executable that is not position-independent and takes the
// address of shmem_X, the address of shmem_X is, for everybody, a jump in the executable, whoever it leads
// to. So then look whether anybody else defines such names. Without a tool only the comparison runs: 0.5
// microseconds.
bool interposed() { return !all_are_ours() && (linked_into_executable() || exported_elsewhere("shmem_")); }

}  // namespace atrium
