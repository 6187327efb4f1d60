// Runs a signal handler that prints a message on a larger stack than the program has given to its handlers.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

#include "atrium_larger_stack.hpp"

namespace atrium {

// What a message or a back trace needs: libdwfl and its tables' decoders are deep.
inline constexpr size_t handler_stack_bytes = size_t{1} << 19;

// Calls run(subject): on a larger stack, if this is a handler on a small one. `context` is what the handler was given. One thread at
// a time; others stay on their own stacks, as they do where there is no memory.
void run_with_room(const void* context, void (*run)(void*), void* subject);

}  // namespace atrium
