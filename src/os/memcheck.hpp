// Describes the blocks of the symmetric heap to valgrind's memcheck, which cannot know them.
// SPDX-License-Identifier: BSD-3-Clause
//
// Memory that counts as mapped is read to its end by the leak check when a program ends: of a heap whose cap
// is the memory of the machine that would be all of it, and take minutes. Outside valgrind a request is a few
// instructions that change nothing.
#pragma once

#include <cstddef>

namespace atrium {

bool under_memcheck();

// From now on memcheck reports each access to the range.
void hide_from_memcheck(const void* begin, size_t bytes);
// It may be read and written; what it holds counts as initialised, since a peer may write it unseen.
void show_to_memcheck(const void* begin, size_t bytes);

}  // namespace atrium
