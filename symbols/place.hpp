// A place in a program's sources, and the words for it.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "symbols/debug_info.hpp"

namespace atrium {

struct SourcePlace {
  std::string file;  // as the debugging information has it; empty: unknown
  int line = 0;
  std::string function;  // as written; empty: unknown
  std::string
      routine;  // of shmem.h, whose inlined code it is, or of Fortran, which is called there; empty: unknown
  std::string module;   // the file of its code, where the line is unknown; empty: unknown
  uint64_t offset = 0;  // in the module, where the function is unknown, too

  bool has_line() const { return !file.empty() && line > 0; }
  std::string file_name() const;   // without its folder
  std::string short_text() const;  // heat.c:41, or relax of prog, or prog+0x1234
  std::string text() const;        // heat.c:41 in relax
  auto operator<=>(const SourcePlace&) const = default;
};

// The innermost of the frames at an address that is the program's own: code inlined from shmem.h is not.
SourcePlace place_of_frames(const std::vector<SourceFrame>& frames);

// What is known of a call in a file's code (`address` lies in it), with what the symbol table adds where there is no debugging
// information. The routine is that of Fortran alone.
SourcePlace place_in_file(SourcePlace known, const std::string& file, uint64_t address);

}  // namespace atrium
