// Looks beside the launcher, and into the program's header.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/process/race_library.hpp"

#include <elf.h>
#include <unistd.h>

#include <climits>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>

namespace atrium {
namespace {

std::string own_folder() {
  char path[PATH_MAX];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
  const std::string file(path, length > 0 ? static_cast<size_t>(length) : 0);
  return file.substr(0, file.rfind('/'));
}

// A program without an interpreter loads no libraries. What is no ELF file is a script, whose program comes later.
bool is_static(const std::string& program) {
  std::ifstream file(program, std::ios::binary);
  Elf64_Ehdr head{};
  if (!file.read(reinterpret_cast<char*>(&head), sizeof head) ||
      std::memcmp(head.e_ident, ELFMAG, SELFMAG) != 0)
    return false;
  for (unsigned i = 0; i < head.e_phnum; ++i) {
    Elf64_Phdr part{};
    file.seekg(static_cast<std::streamoff>(head.e_phoff + i * head.e_phentsize));
    if (!file.read(reinterpret_cast<char*>(&part), sizeof part) || part.p_type == PT_INTERP) return false;
  }
  return true;
}

// Another sanitizer wants to come first, and sees what it does not expect.
const char* other_sanitizer(const std::string& program) {
  std::ifstream file(program, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  for (const char* name : {"__asan_init", "libtsan.so", "__tsan_flush_memory", "__msan_init"})
    if (text.find(name) != std::string::npos) return name;
  return nullptr;
}

}  // namespace

Result<std::string> find_race_library(const std::string& program) {
  if (const char* name = other_sanitizer(program))
    return Error{"cannot look for races in '" + program + "'",
                 "it was built with a sanitizer of its own (" + std::string(name) + ")",
                 {},
                 "to build it without -fsanitize, or with oshcc -fatrium-race"};
  if (is_static(program))
    return Error{"cannot look for races in '" + program + "'",
                 "it is static, so that no library can be put in front of it",
                 {},
                 "to link it without -static"};
  for (const char* folder : {"/../lib/", "/../" ATRIUM_LIBRARIES "/"}) {
    const std::string path = own_folder() + folder + "libatrium-race.so.0";
    if (char* const real = realpath(path.c_str(), nullptr)) {
      std::string found = real;
      std::free(real);
      return found;
    }
  }
  return Error{"cannot look for races", "libatrium-race.so is not installed beside oshrun", {}, {}};
}

}  // namespace atrium
