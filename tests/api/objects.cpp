// A tool that tries what interpose/ keeps of libraries that are opened and closed: another thread may have found an object, and read
// it still, when another file is loaded to its addresses.
// SPDX-License-Identifier: BSD-3-Clause
#include "interpose/objects.hpp"

#include <dlfcn.h>

#include "interpose/say.hpp"
#include "interpose/tool.hpp"

namespace atrium::interpose {
namespace {

ModuleNames names;

// Opens a library and finds it by the address of its function, before it closes it.
const Object* find_in(const char* path) {
  void* const library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library) give_up(dlerror());
  const Object* const found = look_for_object(reinterpret_cast<uintptr_t>(dlsym(library, "opened")));
  dlclose(library);
  return found;
}

void open_both() {
  const Object* const first = find_in(FIRST_LIBRARY);
  const unsigned number = first->number;
  const Object* const other = find_in(OTHER_LIBRARY);
  const bool has_gone = !find_object(first->begin);
  const bool has_stayed = first->number == number && other->number != number;
  const bool is_found_again = find_in(FIRST_LIBRARY) == first;
  say(std::string(has_gone ? "gone" : "there") + (has_stayed ? ", unchanged" : ", changed") +
      (is_found_again ? ", found again" : ", made again"));
}

}  // namespace

const char* const tool_name = "objects";

void before(RoutineCall&) {}
void after(RoutineCall& operation, uint64_t) {
  if (operation.family != RoutineFamily::init) return;
  number_objects_in(names);
  open_both();
}

}  // namespace atrium::interpose
