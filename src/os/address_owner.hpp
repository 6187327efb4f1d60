// What lies at an address of this process, in the words of its programmer.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>

namespace atrium {

// "a block from malloc", "a local variable (the stack)", "a thread-local variable", "a constant of the program", "`counter`
// of libfoo.so"; nothing where no memory is. Of the calling thread; `stack_pointer`: where its stack ended. For the way to
// a message.
std::optional<std::string> owner_of(uintptr_t address, uintptr_t stack_pointer);

// Likewise of another process: "code of its program (hello)", "static data of its program", "a block from malloc"; nothing where
// it has no memory that could be read, and where we may not look.
std::optional<std::string> owner_in(pid_t process, uintptr_t address);

}  // namespace atrium
