// Finds the headers and the code of the executable by the auxiliary vector that the kernel has passed.
// SPDX-License-Identifier: BSD-3-Clause
#include "symbols/this_program.hpp"

#include <sys/auxv.h>

#include <algorithm>
#include <cstring>

#include "symbols/elf_file.hpp"

namespace atrium {

std::span<const ElfW(Phdr)> program_headers() {
  const auto* first = reinterpret_cast<const ElfW(Phdr)*>(getauxval(AT_PHDR));
  return {first, first ? getauxval(AT_PHNUM) : 0};
}

uintptr_t executable_bias() {
  const auto headers = program_headers();
  const auto there = reinterpret_cast<uintptr_t>(headers.data());
  for (const auto& header : headers)
    if (header.p_type == PT_PHDR) return there - header.p_vaddr;
  // A static executable need not have PT_PHDR: the headers lie in the first loaded segment, at file offset e_phoff.
  for (const auto& header : headers)
    if (header.p_type == PT_LOAD && header.p_offset == 0)
      return (there & ~(getauxval(AT_PAGESZ) - 1)) - header.p_vaddr;
  return 0;
}

CodeRange executable_code() {
  for (const auto& part : program_headers())
    if (part.p_type == PT_LOAD && (part.p_flags & PF_X) != 0)
      return {executable_bias() + part.p_vaddr, part.p_memsz};
  return {};
}

bool executable_is_static() {
  const auto headers = program_headers();
  return std::none_of(headers.begin(), headers.end(),
                      [](const ElfW(Phdr) & header) { return header.p_type == PT_INTERP; });
}

// Their program headers are the same, byte by byte.
bool executable_file_is_ours() {
  const ElfFile file(executable_file);
  const auto loaded = program_headers(), there = file.parts();
  return !loaded.empty() && file.is_whole() && there.size() == loaded.size() &&
         std::memcmp(there.data(), loaded.data(), loaded.size_bytes()) == 0;
}

}  // namespace atrium
