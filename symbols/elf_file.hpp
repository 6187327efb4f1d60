// An ELF file of 64 bits, mapped to be read.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <elf.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace atrium {

// A damaged or missing file has no parts and no sections: the kernel reports the error when the file is run.
class ElfFile {
 public:
  explicit ElfFile(const std::string& path);
  ~ElfFile();
  ElfFile(const ElfFile&) = delete;
  ElfFile& operator=(const ElfFile&) = delete;

  // EM_X86_64 and so on, also of 32 bits; 0 in what is no ELF file.
  uint16_t machine() const;
  // Whether it has a header of 64 bits, and as many program headers as that says.
  bool is_whole() const {
    return head_ && head_->e_phentsize == sizeof(Elf64_Phdr) && parts().size() == head_->e_phnum;
  }

  std::span<const Elf64_Phdr> parts() const;
  std::span<const Elf64_Shdr> sections() const;

  // As many as there are of `count`.
  template <class T>
  std::span<const T> at(uint64_t offset, uint64_t count) const {
    if (offset >= bytes_.size() || offset % alignof(T) != 0) return {};
    const uint64_t there = (bytes_.size() - offset) / sizeof(T);
    return {reinterpret_cast<const T*>(bytes_.data() + offset), count < there ? count : there};
  }
  // Up to its zero; empty where there is none.
  std::string_view text_at(uint64_t offset) const;

 private:
  std::string_view bytes_;
  const Elf64_Ehdr* head_ = nullptr;
};

}  // namespace atrium
