// The files of this process that code lies in, by address.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace atrium::interpose {

struct Object {
  uintptr_t begin, end, base;
  unsigned number;  // as the tool counts them
};

// The file that an address was found in before, or null. Any thread may look at any time.
const Object* find_object(uintptr_t address);

// The same, looking at what is loaded; `number_of` numbers a file that is new. Null: the address is in no file.
const Object* look_for_object(uintptr_t address, unsigned (*number_of)(const char* path));

// Another file may be loaded to the addresses of one that is gone: tools remember files' numbers and offsets, not addresses.
void forget_unloaded_objects();

}  // namespace atrium::interpose
