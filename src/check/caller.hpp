// Finds the place of the program that called the library: for messages about wrong arguments, and about waits.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace atrium {

struct Caller {
  std::string routine;            // "shmem_long_iput"
  std::string place;              // "./prog+0x1189"; where Python calls, its line (check/python_place.hpp)
  const void* returns = nullptr;  // where the call returns to: that place
};

// Of an object's file: Python's interpreter.
bool is_python(const char* file);

// As much of it as can be found out. A call by Python's ctypes has the place of the interpreter, or "Python": what calls there is
// no code of the program. `frames`: what backtrace() has found.
Caller find_caller(std::span<void* const> frames);

// Where in the program this thread's call comes from, in microseconds, and such that all PEs may keep it for one another:
// an address less that of the executable; 0 where it cannot be found.
uint64_t caller_in_program();
// The same of where a routine returns to, without a look at the stack.
uint64_t place_in_program(const void* returns);
// As an address: `returns` if that is in the program, else the innermost frame of the stack that is; where neither is, `returns`.
const void* called_from(const void* returns);
// " (heat.c:41 in main)" of such a place; " (main of heat)" or " (./heat+0x1189)" if the line is unknown; empty for 0. For the way to a
// message: it takes its time.
std::string line_in_program(uint64_t caller);

// The same of where a call returns to; empty for null.
std::string line_of_call(const void* returns);

// "shmem_long_iput, called from ./prog+0x1189".
std::string describe(const Caller& caller);
// Names this thread's call for a message, with the line where it is known: "shmem_long_iput, called from heat.c:41 in main".
// `routine`: how the program calls it, where it knows it by another name.
std::string describe_caller(const char* routine = nullptr);
// The same of the call that a signal has interrupted in inlined code or in the library. `context`: what its handler gets.
std::string describe_interrupted_call(const void* context);
// The same of an instruction of the program that is inlined code of shmem.h, as far as debugging information says; else empty.
std::string describe_inlined_call(uintptr_t instruction);

}  // namespace atrium
