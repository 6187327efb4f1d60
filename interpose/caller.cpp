// Walks the stack outward to the first return address that lies in the program.
// SPDX-License-Identifier: BSD-3-Clause
#include "interpose/caller.hpp"

#include <unwind.h>

#include "interpose/objects.hpp"
#include "symbols/symbol_map.hpp"

extern "C" char __ehdr_start __attribute__((visibility("hidden")));
extern "C" char _end __attribute__((visibility("hidden")));

namespace atrium::interpose {

LibraryPlace library_place;

namespace {

bool is_library(uintptr_t address) { return library_place.has(address); }

bool is_tool(uintptr_t address) {
  const auto begin = reinterpret_cast<uintptr_t>(&__ehdr_start), end = reinterpret_cast<uintptr_t>(&_end);
  return address >= begin && address < end;
}

_Unwind_Reason_Code visit(_Unwind_Context* frame, void* found) {
  const uintptr_t address = _Unwind_GetIP(frame);
  if (address == 0 || is_tool(address) || is_library(address) || wrapper_around(address - 1))
    return _URC_NO_REASON;
  *static_cast<uintptr_t*>(found) = address;
  return _URC_END_OF_STACK;
}

}  // namespace

void learn_library(ModuleNames& modules, const void* function) {
  number_objects_in(modules);
  library_place.is_fortran = has_wrappers();
  const Object* object = look_for_object(reinterpret_cast<uintptr_t>(function));
  if (!object) return;
  library_place.begin = object->begin;
  library_place.bytes = object->end - object->begin;
}

bool called_by_library(const Site& site) { return is_library(reinterpret_cast<uintptr_t>(site.caller)); }

uintptr_t first_outside_library(uintptr_t caller) {
  if (!is_library(caller) && !wrapper_around(caller - 1)) return caller;
  uintptr_t found = 0;
  _Unwind_Backtrace(visit, &found);
  return found;
}

}  // namespace atrium::interpose
