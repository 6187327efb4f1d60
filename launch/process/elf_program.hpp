// What the header of a program says of the libraries that it needs.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace atrium {

struct ElfProgram {
  bool is_elf = false;              // else a script, whose program comes later
  std::string interpreter;          // the loader of its shared libraries; a static program has none
  std::vector<std::string> needed;  // those that it names itself

  bool is_static() const { return is_elf && interpreter.empty(); }
  bool needs(const char* library) const;  // "libatrium.so", whatever the number behind it
};

ElfProgram read_elf_program(const std::string& path);

}  // namespace atrium
