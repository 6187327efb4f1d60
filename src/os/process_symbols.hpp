// What stands behind addresses of another process: functions, lines, variables.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace atrium {

struct CodePlace {
  std::string function;  // empty: unknown
  std::string file;      // of the source, without its folder; empty where nobody compiled it with -g
  int line = 0;
  std::string routine;  // of shmem.h, whose inlined code it is; empty: the program's own
};

struct ProcessSymbols {
  std::vector<CodePlace> code;  // for each return address, or none at all
  std::string variable;         // "flag" or "flags + 16 bytes"; empty: unknown
};

// The calls before these return addresses, and the variable at `data` (0: none is asked for). A child of its own looks,
// and is given up after some seconds; nothing is found where there is no libdw.so.1.
ProcessSymbols look_up_symbols(pid_t process, std::span<const uint64_t> returns, uint64_t data);

// Prints `head`, then ", in FUNCTION (FILE:LINE)" of the first frame that has a line, and an end of line. For a signal
// handler, likewise by a child; false when nothing was printed. The first frame is where the process is, the others are where
// it returns to.
bool print_place_of(const char* head, std::span<void* const> frames, int fd);

}  // namespace atrium
