// Reads program headers and the dynamic section. A damaged file is one that needs nothing: to complain is the kernel's.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/process/elf_program.hpp"

#include <elf.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace atrium {
namespace {

class Reader {
 public:
  explicit Reader(const std::string& path) : file_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~Reader() {
    if (file_ >= 0) close(file_);
  }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  // As many as there are of `count`.
  template <class T>
  std::vector<T> read(uint64_t offset, size_t count) {
    std::vector<T> parts(count);
    parts.resize(read_into(parts.data(), count * sizeof(T), offset) / sizeof(T));
    return parts;
  }

  std::string text_at(uint64_t offset) {
    std::string text;
    char part[256];
    while (const size_t bytes = read_into(part, sizeof part, offset + text.size())) {
      const size_t length = strnlen(part, bytes);
      text.append(part, length);
      if (length < bytes) break;
    }
    return text;
  }

 private:
  // How many bytes are there.
  size_t read_into(void* place, size_t bytes, uint64_t offset) {
    const ssize_t got = pread(file_, place, bytes, static_cast<off_t>(offset));
    return got > 0 ? static_cast<size_t>(got) : 0;
  }

  int file_;
};

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

// Machines of the other byte order write it in theirs.
uint16_t machine_of(const Elf64_Ehdr& head) {
  const bool is_swapped = head.e_ident[EI_DATA] == ELFDATA2MSB;
  return is_swapped ? __builtin_bswap16(head.e_machine) : head.e_machine;
}

uint64_t offset_of(uint64_t address, const std::vector<Elf64_Phdr>& parts) {
  for (const Elf64_Phdr& part : parts)
    if (part.p_type == PT_LOAD && address - part.p_vaddr < part.p_filesz)
      return part.p_offset + (address - part.p_vaddr);
  return 0;
}

std::vector<std::string> needed_by(Reader& file, const Elf64_Phdr& dynamic,
                                   const std::vector<Elf64_Phdr>& parts) {
  // A file may say anything: nobody links with more than this.
  const size_t entries = std::min<uint64_t>(dynamic.p_filesz / sizeof(Elf64_Dyn), 4096);
  std::vector<uint64_t> names;
  uint64_t strings = 0;
  for (const Elf64_Dyn& entry : file.read<Elf64_Dyn>(dynamic.p_offset, entries)) {
    if (entry.d_tag == DT_NULL) break;
    if (entry.d_tag == DT_NEEDED) names.push_back(entry.d_un.d_val);
    if (entry.d_tag == DT_STRTAB) strings = offset_of(entry.d_un.d_ptr, parts);
  }
  std::vector<std::string> needed;
  for (const uint64_t name : names) needed.push_back(file.text_at(strings + name));
  return needed;
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
  Reader file(path);
  ElfProgram program;
  const std::vector<Elf64_Ehdr> found = file.read<Elf64_Ehdr>(0, 1);
  if (found.empty()) return program;
  const Elf64_Ehdr& head = found.front();
  if (std::memcmp(head.e_ident, ELFMAG, SELFMAG) != 0) return program;
  program.machine = machine_of(head);
  if (head.e_ident[EI_CLASS] != ELFCLASS64) return program;
  const std::vector<Elf64_Phdr> parts = file.read<Elf64_Phdr>(head.e_phoff, head.e_phnum);
  if (parts.size() != head.e_phnum || head.e_phentsize != sizeof(Elf64_Phdr)) return {};
  program.is_elf = true;
  for (const Elf64_Phdr& part : parts) {
    if (part.p_type == PT_INTERP) program.interpreter = file.text_at(part.p_offset);
    if (part.p_type == PT_DYNAMIC) program.needed = needed_by(file, part, parts);
  }
  return program;
}

}  // namespace atrium
