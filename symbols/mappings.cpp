// Reads /proc/PID/maps, and the headers of the files that it names.
// SPDX-License-Identifier: BSD-3-Clause
#include "symbols/mappings.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "atrium_system.hpp"
#include "symbols/elf_file.hpp"
#include "symbols/pieces.hpp"

namespace atrium {
namespace {

MapsLine parse(const std::string& line) {
  char* rest = nullptr;
  MapsLine mapping;
  mapping.begin = std::strtoull(line.c_str(), &rest, 16);
  mapping.end = std::strtoull(rest + 1, &rest, 16);
  mapping.is_readable = rest[1] == 'r';
  mapping.is_code = rest[3] == 'x';
  mapping.is_private = rest[4] == 'p';
  mapping.offset = std::strtoull(rest + 5, nullptr, 16);
  const size_t name = line.find_first_of("/[");
  if (name != std::string::npos) mapping.name = line.substr(name);
  return mapping;
}

// Takes the lines letter by letter, and looks at their beginnings: "begin-end rwxp ...".
class ReadableSearch {
 public:
  explicit ReadableSearch(uintptr_t address) : address_(address) {}

  // True: the line that this letter belongs to says that the address can be read.
  bool take(char letter) {
    if (letter == '\n') {
      *this = ReadableSearch(address_);
      return false;
    }
    if (word_ > 1) return word_++ == 2 && letter == 'r' && address_ - ends_[0] < ends_[1] - ends_[0];
    if (letter == '-' || letter == ' ')
      ++word_;
    else
      ends_[word_] = ends_[word_] << 4 | digit(letter);
    return false;
  }

 private:
  static uintptr_t digit(char letter) {
    return static_cast<uintptr_t>(letter <= '9' ? letter - '0' : letter - 'a' + 10);
  }

  uintptr_t address_;
  uintptr_t ends_[2] = {};
  int word_ = 0;  // behind the second one: letters
};

uint64_t page_of(uint64_t address) { return address & ~(static_cast<uint64_t>(getpagesize()) - 1); }

// From where its code lies: all parts of a file are moved alike.
std::optional<uintptr_t> bias_of(const ElfFile& file, const MapsLine& code) {
  for (const auto& part : file.parts())
    if (part.p_type == PT_LOAD && (part.p_flags & PF_X) != 0 && page_of(part.p_offset) == code.offset)
      return code.begin - page_of(part.p_vaddr);
  return std::nullopt;
}

bool is_within(const ElfFile& file, uint64_t address) {
  const auto parts = file.parts();
  return std::any_of(parts.begin(), parts.end(), [&](const Elf64_Phdr& part) {
    return part.p_type == PT_LOAD && address - part.p_vaddr < part.p_memsz;
  });
}

}  // namespace

pid_t this_process() {
  char place[64] = "";  // "PID/task/TID"
  const ssize_t length = readlink("/proc/thread-self", place, sizeof place - 1);
  const char* const number = length > 0 ? std::strrchr(place, '/') : nullptr;
  return number ? static_cast<pid_t>(std::strtol(number + 1, nullptr, 10)) : gettid();
}

std::vector<MapsLine> mappings_of(pid_t process) {
  std::vector<MapsLine> mappings;
  std::string maps = read_small_file("/proc/" + std::to_string(process) + "/maps");
  while (const auto line = take(maps, '\n')) mappings.push_back(parse(*line));
  return mappings;
}

bool has_readable_memory(pid_t process, uintptr_t address) {
  char path[32], part[512];
  std::snprintf(path, sizeof path, "/proc/%d/maps", static_cast<int>(process));
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  ReadableSearch search(address);
  bool found = false;
  for (ssize_t bytes; !found && (bytes = read(file, part, sizeof part)) > 0;)
    found = std::any_of(part, part + bytes, [&](char letter) { return search.take(letter); });
  close(file);
  return found;
}

std::optional<MappedFile> mapped_file_at(const std::vector<MapsLine>& mappings, uintptr_t address) {
  for (const MapsLine& mapping : mappings) {
    if (!mapping.is_code || !mapping.name.starts_with('/')) continue;
    const ElfFile file(mapping.name);
    const auto bias = bias_of(file, mapping);
    if (bias && is_within(file, address - *bias)) return MappedFile{mapping.name, *bias};
  }
  return std::nullopt;
}

}  // namespace atrium
