// The views of the peers.
// SPDX-License-Identifier: BSD-3-Clause
#include "arena/views.hpp"

namespace atrium {
namespace {

Views noted;

bool is_in(uintptr_t begin, uintptr_t address) { return begin != 0 && address - begin < noted.bytes; }

}  // namespace

void note_views(const Views& views) { noted = views; }

bool is_in_views(uintptr_t address) { return is_in(noted.heaps, address) || is_in(noted.globals, address); }

}  // namespace atrium
