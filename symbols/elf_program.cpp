// Reads program headers and the dynamic section.
// SPDX-License-Identifier: BSD-3-Clause
#include "symbols/elf_program.hpp"

#include <algorithm>
#include <cstring>

#include "symbols/elf_file.hpp"

namespace atrium {
namespace {

#ifdef __aarch64__
constexpr uint16_t this_machine = EM_AARCH64;
#else
constexpr uint16_t this_machine = EM_X86_64;
#endif

std::string name_of(uint16_t machine) {
  switch (machine) {
    case EM_X86_64:
      return "x86-64";
    case EM_AARCH64:
      return "AArch64";
    case EM_386:
      return "x86 with 32 bits";
    case EM_ARM:
      return "Arm with 32 bits";
    case EM_RISCV:
      return "RISC-V";
    case EM_PPC64:
      return "POWER";
    default:
      return "another processor (ELF machine " + std::to_string(machine) + ")";
  }
}

uint64_t offset_of(uint64_t address, const ElfFile& file) {
  for (const Elf64_Phdr& part : file.parts())
    if (part.p_type == PT_LOAD && address - part.p_vaddr < part.p_filesz)
      return part.p_offset + (address - part.p_vaddr);
  return 0;
}

void read_dynamic_section(const ElfFile& file, const Elf64_Phdr& dynamic, ElfProgram& program) {
  std::vector<uint64_t> names;
  uint64_t strings = 0;
  for (const auto& entry : file.at<Elf64_Dyn>(dynamic.p_offset, dynamic.p_filesz / sizeof(Elf64_Dyn))) {
    if (entry.d_tag == DT_NULL) break;
    if (entry.d_tag == DT_NEEDED) names.push_back(entry.d_un.d_val);
    if (entry.d_tag == DT_STRTAB) strings = offset_of(entry.d_un.d_ptr, file);
    if (entry.d_tag == DT_SONAME) program.is_library = true;
  }
  program.needed.clear();
  for (const uint64_t name : names) program.needed.emplace_back(file.text_at(strings + name));
}

}  // namespace

bool ElfProgram::needs(const char* library) const {
  return std::any_of(needed.begin(), needed.end(), [&](const std::string& name) {
    const size_t length = std::strlen(library);
    return name.starts_with(library) && (name.size() == length || name[length] == '.');
  });
}

std::string ElfProgram::other_machine() const {
  return machine == 0 || machine == this_machine ? std::string() : name_of(machine);
}

ElfProgram read_elf_program(const std::string& path) {
  const ElfFile file(path);
  ElfProgram program;
  program.machine = file.machine();
  program.is_elf = file.is_whole();
  for (const Elf64_Phdr& part : program.is_elf ? file.parts() : std::span<const Elf64_Phdr>{}) {
    if (part.p_type == PT_INTERP) program.interpreter = file.text_at(part.p_offset);
    if (part.p_type == PT_DYNAMIC) read_dynamic_section(file, part, program);
  }
  return program;
}

}  // namespace atrium
