// Finds the library of a profiling tool beside the launcher, and reads from the program's ELF header whether it can be preloaded.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/process/tool_library.hpp"

#include <fcntl.h>
#include <unistd.h>

#include "atrium_system.hpp"
#include "launch/process/installation.hpp"
#include "symbols/elf_program.hpp"

namespace atrium {
namespace {

// Another sanitizer must be loaded first, and fails otherwise.
const char* other_sanitizer(const std::string& program) {
  const std::string text = read_small_file(program);
  for (const char* name : {"__asan_init", "libtsan.so", "__tsan_flush_memory", "__msan_init"})
    if (text.find(name) != std::string::npos) return name;
  return nullptr;
}

// A name of it for LD_PRELOAD, where spaces and colons end a name: else of its open file, which this process keeps.
std::string preloadable(const std::string& library) {
  if (library.find_first_of(" :") == std::string::npos) return library;
  const int file = open(library.c_str(), O_RDONLY | O_CLOEXEC);
  return "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(file);
}

}  // namespace

Result<std::string> find_tool_library(const ToolLibrary& tool, const std::string& program) {
  const std::string purpose = std::string(tool.purpose) + " '" + program + "'";
  if (const char* name = other_sanitizer(program))
    return Error{
        purpose, "it was built with a sanitizer of its own (" + std::string(name) + ")", {}, tool.sanitized};
  const ElfProgram header = read_elf_program(program);
  if (header.is_elf && header.is_library && header.interpreter.empty())
    return Error{purpose,
                 "it is a loader or another shared object, and not the program",
                 {},
                 "the program itself, which says in its header what loads it"};
  if (header.is_static())
    return Error{purpose,
                 "it is static, so that no library can be put in front of it",
                 {},
                 "to link it without -static"};
  std::string library = own_library(tool.file);
  if (!library.empty()) return preloadable(library);
  return Error{purpose, std::string(tool.file) + " is not installed beside oshrun", {}, {}};
}

}  // namespace atrium
