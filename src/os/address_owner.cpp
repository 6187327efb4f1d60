// Asks the dynamic linker for objects and thread-local data, and /proc/self/maps for the rest.
// SPDX-License-Identifier: BSD-3-Clause
#include "os/address_owner.hpp"

#include "atrium_words.hpp"
#include "symbols/loaded.hpp"
#include "symbols/look_up.hpp"
#include "symbols/mappings.hpp"

namespace atrium {
namespace {

bool is_constant(const LoadedFile& file, const ElfW(Phdr) & part, uintptr_t address) {
  if (!(part.p_flags & PF_W)) return true;
  for (const auto& other : file.parts())
    if (other.p_type == PT_GNU_RELRO && file.is_within(other, address)) return true;
  return false;
}

std::string variable_at(uintptr_t address) {
  const NamedVariable variable = look_up_symbols(this_process(), {}, address).variable;
  return variable.name.empty() ? "static data" : "`" + variable.text() + "`";
}

std::string describe_part(const LoadedFile& loaded, const ElfW(Phdr) & part, uintptr_t address) {
  const std::string file = file_name_of(loaded.path());
  if (part.p_flags & PF_X) return file.empty() ? "code of the program" : "code of " + file;
  if (!is_constant(loaded, part, address))
    return variable_at(address) + " of " + (file.empty() ? "the program" : file);
  return file.empty() ? "a constant of the program, such as a string" : "a constant of " + file;
}

// What a loaded file has at the address; empty: nothing.
std::string describe_in(const LoadedFile& file, uintptr_t address) {
  for (const auto& part : file.parts()) {
    if (part.p_type == PT_LOAD && file.is_within(part, address)) return describe_part(file, part, address);
    if (part.p_type == PT_TLS && file.thread_data() &&
        address - reinterpret_cast<uintptr_t>(file.thread_data()) < part.p_memsz)
      return "a thread-local variable";
  }
  return {};
}

std::optional<MapsLine> mapping_at(pid_t process, uintptr_t address) {
  for (MapsLine& mapping : mappings_of(process))
    if (mapping.has(address)) return std::move(mapping);
  return std::nullopt;
}

std::string function_at(pid_t process, uintptr_t address) {
  const uint64_t behind = address + 1;
  const ProcessSymbols symbols = look_up_symbols(process, {&behind, 1}, 0);
  return symbols.code.empty() || symbols.code[0].function.empty() ? ""
                                                                  : " (" + symbols.code[0].function + ")";
}

}  // namespace

std::optional<std::string> owner_of(uintptr_t address, uintptr_t stack_pointer) {
  std::string found;
  if (any_loaded_file([&](const LoadedFile& file) { return !(found = describe_in(file, address)).empty(); }))
    return found;
  const auto mapping = mapping_at(this_process(), address);
  if (!mapping || !mapping->is_readable) return std::nullopt;
  if (mapping->name == "[heap]") return "a block from malloc";
  if (mapping->name == "[stack]" || mapping->has(stack_pointer)) return "a local variable (the stack)";
  if (mapping->name.starts_with("/")) return "a mapping of " + mapping->name;
  return "memory from malloc or mmap, or another thread's stack";
}

// What the kernel calls the program's own file, and memory that has no name there, is all that is known.
std::optional<std::string> owner_in(pid_t process, uintptr_t address) {
  const auto mapping = mapping_at(process, address);
  if (!mapping || !mapping->is_readable) return std::nullopt;
  if (mapping->is_code) return "code of its program or a library" + function_at(process, address);
  if (mapping->name == "[heap]") return "a block from malloc";
  if (mapping->name == "[stack]") return "a local variable (the stack)";
  if (mapping->name.starts_with("/memfd:") || mapping->name.starts_with("/SYSV"))
    return "its symmetric memory, static data or heap";
  if (mapping->name.starts_with("/")) return "static data of " + file_name_of(mapping->name);
  return "memory from malloc or mmap";
}

}  // namespace atrium
