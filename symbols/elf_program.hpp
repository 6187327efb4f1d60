// What the headers of a program say of the machine and the libraries that it needs.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace atrium {

struct ElfProgram {
  bool is_elf = false;              // of 64 bits; else a script, whose program comes later
  uint16_t machine = 0;             // EM_X86_64 and so on, also of 32 bits; 0 in what is no ELF file
  std::string interpreter;          // the loader of its shared libraries; a static program has none
  std::vector<std::string> needed;  // those that it names itself
  bool is_library = false;          // has a name for others to need it by, as the loader itself has

  bool is_static() const { return is_elf && interpreter.empty() && !is_library; }
  bool needs(const char* library) const;  // "libatrium.so", whatever the number behind it
  std::string other_machine() const;      // "AArch64"; empty when it is for machines like this one
};

// A damaged file counts as one that needs nothing.
ElfProgram read_elf_program(const std::string& path);

}  // namespace atrium
