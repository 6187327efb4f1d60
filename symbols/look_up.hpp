// Places and variables behind addresses, looked up by a child: debugging information may be broken, and so may the process.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "symbols/names.hpp"
#include "symbols/place.hpp"

namespace atrium {

struct ProcessSymbols {
  std::vector<SourcePlace> code;  // for each return address, or none at all
  NamedVariable variable;         // without a name: unknown
};

// The calls before these return addresses, and the variable at `data` (0: none is asked for). By addr2line and symbol tables where
// there is no libdw.so.1, and in a static program.
ProcessSymbols look_up_symbols(pid_t process, std::span<const uint64_t> returns, uint64_t data);

// The variable at an address of this process's executable: by its symbol table, and by debugging information only where a common
// block of Fortran may be there.
NamedVariable variable_of_executable(uintptr_t address);

// The place of an instruction of a file; by addr2line where libdw is not there or finds no line. Nothing: neither of them could be
// asked.
std::optional<SourcePlace> look_up_place(const std::string& file, uint64_t address);

// For signal handlers, of this process. The first of `frames` is where it is, the others are where it returns to. False when
// nothing was printed: there is neither libdw.so.1 nor addr2line, or the child failed.
//
// `head`, then ", at FILE:LINE in FUNCTION" of the first frame that has a line, and an end of line.
bool print_place(const char* head, std::span<void* const> frames, int fd);
// "  #0  FUNCTION at FILE:LINE" for each frame.
bool print_back_trace(std::span<void* const> frames, int fd);

}  // namespace atrium
