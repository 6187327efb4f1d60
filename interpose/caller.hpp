// Finds the caller of a routine, where the tool was called by the OpenSHMEM library's own code for inlined calls.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "interpose/modules.hpp"
#include "interpose/site.hpp"

namespace atrium::interpose {

// Remembers where the OpenSHMEM library and the functions behind its Fortran interfaces lie: their frames are not the program's.
// `modules`: where the tool has its files' numbers; `function`: one that the library has, or null.
void learn_library(ModuleNames& modules, const void* function);

// The OpenSHMEM library's own code has called this routine.
bool called_by_library(const Site& site);

struct LibraryPlace {
  uintptr_t begin = 0, bytes = 0;
  bool is_fortran = false;  // the program has functions behind Fortran interfaces

  bool has(uintptr_t address) const { return address - begin < bytes; }
};
extern LibraryPlace library_place;

uintptr_t first_outside_library(uintptr_t caller);
// The caller itself, or the innermost return address of this thread's stack that lies in neither of them
// nor in this tool; 0: none.
inline uintptr_t caller_outside_library(uintptr_t caller) {
  return library_place.has(caller) || library_place.is_fortran ? first_outside_library(caller) : caller;
}

}  // namespace atrium::interpose
