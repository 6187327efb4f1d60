// Where this process sees its peers' memory, holes included.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

namespace atrium {

struct Views {
  uintptr_t heaps = 0, globals = 0;  // where the peers' parts begin; 0: there are none
  size_t bytes = 0;                  // of each
};

// For the arena, when it is built.
void note_views(const Views& views);

// Whether nothing but peers' memory and its holes can be at this address. For a signal handler, too.
bool is_in_views(uintptr_t address);

}  // namespace atrium
