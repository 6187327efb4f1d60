// Looks beside the launcher, and into the program's header.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/process/race_library.hpp"

#include <fstream>
#include <iterator>

#include "launch/process/elf_program.hpp"
#include "launch/process/installation.hpp"

namespace atrium {
namespace {

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
  if (read_elf_program(program).is_static())
    return Error{"cannot look for races in '" + program + "'",
                 "it is static, so that no library can be put in front of it",
                 {},
                 "to link it without -static"};
  std::string library = own_library("libatrium-race.so.0");
  if (!library.empty()) return library;
  return Error{"cannot look for races", "libatrium-race.so is not installed beside oshrun", {}, {}};
}

}  // namespace atrium
