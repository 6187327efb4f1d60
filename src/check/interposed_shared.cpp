// A tool for the shared library is another library, or the executable, that exports a routine of the API.
// SPDX-License-Identifier: BSD-3-Clause
//
// A table of addresses that the dynamic linker fills in, as the static library has it, would cost every
// program 1,700 look-ups, 0.3 ms, when it starts. What the others export is short: for most programs nothing.
#include <cstring>

#include "check/interposed.hpp"
#include "os/loaded_objects.hpp"

namespace atrium {
namespace {

// One string, because pointers to names would have to be relocated.
constexpr char inlined_names[] =
#define ATRIUM_INLINED(name) #name "\0"
#include "check/inlined.inc"
    ;

bool is_inlined(const char* name) {
  if (std::strncmp(name, "shmem_", 6) != 0) return false;
  for (const char* inlined = inlined_names; *inlined != '\0'; inlined += std::strlen(inlined) + 1)
    if (std::strcmp(inlined, name) == 0) return true;
  return false;
}

}  // namespace

bool interposed() { return exported_before_us(is_inlined); }

}  // namespace atrium
