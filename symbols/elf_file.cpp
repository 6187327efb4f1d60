// Checks every offset and size in the headers against the length of the file.
// SPDX-License-Identifier: BSD-3-Clause
#include "symbols/elf_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>

namespace atrium {

ElfFile::ElfFile(const std::string& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat about {};
  if (fd >= 0 && fstat(fd, &about) == 0 && about.st_size > 0) {
    const auto size = static_cast<size_t>(about.st_size);
    void* const base = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (base != MAP_FAILED) bytes_ = {static_cast<const char*>(base), size};
  }
  if (fd >= 0) close(fd);
  const auto head = at<Elf64_Ehdr>(0, 1);
  if (machine() != 0 && !head.empty() && head[0].e_ident[EI_CLASS] == ELFCLASS64) head_ = head.data();
}

ElfFile::~ElfFile() {
  if (!bytes_.empty()) munmap(const_cast<char*>(bytes_.data()), bytes_.size());
}

// It stands at the same place in a header of 32 bits. Machines of the other byte order write it in theirs.
uint16_t ElfFile::machine() const {
  const auto head = at<Elf32_Ehdr>(0, 1);
  if (head.empty() || std::memcmp(head[0].e_ident, ELFMAG, SELFMAG) != 0) return 0;
  const bool is_swapped = head[0].e_ident[EI_DATA] == ELFDATA2MSB;
  return is_swapped ? __builtin_bswap16(head[0].e_machine) : head[0].e_machine;
}

std::span<const Elf64_Phdr> ElfFile::parts() const {
  if (!head_ || head_->e_phentsize != sizeof(Elf64_Phdr)) return {};
  return at<Elf64_Phdr>(head_->e_phoff, head_->e_phnum);
}

std::span<const Elf64_Shdr> ElfFile::sections() const {
  return head_ ? at<Elf64_Shdr>(head_->e_shoff, head_->e_shnum) : std::span<const Elf64_Shdr>{};
}

std::string_view ElfFile::text_at(uint64_t offset) const {
  const size_t end = bytes_.find('\0', offset);
  return end == std::string_view::npos ? std::string_view{} : bytes_.substr(offset, end - offset);
}

}  // namespace atrium
