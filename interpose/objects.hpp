// The files of this process that code lies in, by address.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <cstdint>

#include "interpose/modules.hpp"

namespace atrium::interpose {

// What stands in one stays true for ever, except that its file may be gone.
struct Object {
  uintptr_t begin, base;
  unsigned number;             // in the tool's table; 0: it had no room
  std::atomic<uintptr_t> end;  // 0: the file is gone
};

// The file that an address was found in before, or null. Any thread may look at any time.
const Object* find_object(uintptr_t address);

// The table in which files get their numbers. Before the first of them is looked for.
void number_objects_in(ModuleNames& modules);

// The same, looking at what is loaded. Null: the address is in no file.
const Object* look_for_object(uintptr_t address);

// Another file may be loaded to the addresses of one that is gone: tools remember files' numbers and offsets, not addresses.
void forget_unloaded_objects();

}  // namespace atrium::interpose
