// Opens elfutils' libdw.so.1 by its soname, and looks up the functions that are used.
// SPDX-License-Identifier: BSD-3-Clause
#include "symbols/libdw.hpp"

#include <dlfcn.h>

#include "symbols/this_program.hpp"

namespace atrium {
namespace {

template <class Function>
bool find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(library, name));
  return function != nullptr;
}

const Libdw* find_all() {
  static Libdw all;
  void* const library = ::dlopen("libdw.so.1", RTLD_NOW | RTLD_LOCAL);
  bool found = library != nullptr;
#define ATRIUM_FIND(result, name, arguments) found = found && find(library, #name, all.name);
  ATRIUM_LIBDW(ATRIUM_FIND)
#undef ATRIUM_FIND
  return found ? &all : nullptr;
}

}  // namespace

const Libdw* open_libdw() {
  static const Libdw* const opened = executable_is_static() ? nullptr : find_all();
  return opened;
}

}  // namespace atrium
