// Compares the address of each inlined routine, as the program resolves it, with the address of its pshmem_ twin.
// SPDX-License-Identifier: BSD-3-Clause
#include "check/interposed.hpp"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>

#include <algorithm>
#include <iterator>

#include "pshmem.h"

namespace atrium {
namespace {

using Routine = void (*)();
struct Pair {
  Routine seen;  // filled in by the dynamic linker: what everybody's call of shmem_X reaches
  Routine own;
};

const Pair pairs[] = {
#define ATRIUM_INLINED(name) \
  {reinterpret_cast<Routine>(static_cast<decltype(&p##name)>(name)), reinterpret_cast<Routine>(p##name)},
#include "check/inlined.inc"
};

// In an executable that is not position-independent and takes the address of shmem_X, the address of shmem_X is, for
// everybody, a jump in the executable (the symbol there is undefined yet has a value), whoever it leads to. It is taken
// to lead to us: a tool that watches only routines whose addresses such an executable takes goes unnoticed.
bool is_jump_to_us(Routine routine) {
  Dl_info where;
  const ElfW(Sym)* symbol = nullptr;
  void** const extra = reinterpret_cast<void**>(const_cast<ElfW(Sym)**>(&symbol));
  return dladdr1(reinterpret_cast<void*>(routine), &where, extra, RTLD_DL_SYMENT) && symbol &&
         symbol->st_shndx == SHN_UNDEF;
}

}  // namespace

bool interposed() {
  return std::any_of(std::begin(pairs), std::end(pairs),
                     [](const Pair& pair) { return pair.seen != pair.own && !is_jump_to_us(pair.seen); });
}

}  // namespace atrium
