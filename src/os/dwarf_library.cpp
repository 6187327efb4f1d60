// Loads elfutils' libdw at run time, and finds lines and functions with it.
// SPDX-License-Identifier: BSD-3-Clause
#include "os/dwarf_library.hpp"

#include <cxxabi.h>
#include <dlfcn.h>

#include <cstdlib>
#include <string_view>

namespace atrium {
namespace {

template <class Function>
bool find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(library, name));
  return function != nullptr;
}

// What dwarf_getscopes does, but into functions that do not hold the address, too.
bool find_within(const DwarfLibrary& dwarf, DwarfDie& outer, uint64_t address, DwarfDie& scope) {
  constexpr int tag_block = 0x0b, tag_inlined = 0x1d, tag_subprogram = 0x2e;
  DwarfDie child;
  for (int end = dwarf.first_child(&outer, &child); end == 0; end = dwarf.next_sibling(&child, &child)) {
    const int tag = dwarf.tag_of(&child);
    if (tag != tag_block && tag != tag_inlined && tag != tag_subprogram) continue;
    const bool holds = dwarf.has_address(&child, address) > 0;
    if (holds) scope = child;
    if ((holds || tag == tag_subprogram) && (find_within(dwarf, child, address, scope) || holds)) return true;
  }
  return false;
}

}  // namespace

bool open_dwarf_library(DwarfLibrary& dwarf) {
  void* library = ::dlopen("libdw.so.1", RTLD_NOW | RTLD_LOCAL);
  return library && find(library, "dwfl_begin", dwarf.begin) &&
         find(library, "dwfl_linux_proc_report", dwarf.report_process) &&
         find(library, "dwfl_report_offline", dwarf.report_file) &&
         find(library, "dwfl_report_end", dwarf.report_end) &&
         find(library, "dwfl_addrmodule", dwarf.module_of) &&
         find(library, "dwfl_module_info", dwarf.module_info) &&
         find(library, "dwfl_module_addrname", dwarf.name_of) &&
         find(library, "dwfl_module_addrinfo", dwarf.symbol_of) &&
         find(library, "dwfl_getmodules", dwarf.each_module) &&
         find(library, "dwfl_module_getsrc", dwarf.line_of) &&
         find(library, "dwfl_lineinfo", dwarf.line_info) &&
         find(library, "dwfl_linux_proc_find_elf", dwarf.find_elf) &&
         find(library, "dwfl_standard_find_debuginfo", dwarf.find_debuginfo) &&
         find(library, "dwfl_offline_section_address", dwarf.offline_section) &&
         find(library, "dwfl_module_addrdie", dwarf.unit_at) &&
         find(library, "dwfl_module_getelf", dwarf.elf_of) &&
         find(library, "dwfl_module_getdwarf", dwarf.dwarf_of) &&
         find(library, "dwarf_getscopes", dwarf.scopes_at) &&
         find(library, "dwarf_getscopes_die", dwarf.scopes_around) &&
         find(library, "dwarf_child", dwarf.first_child) &&
         find(library, "dwarf_siblingof", dwarf.next_sibling) &&
         find(library, "dwarf_dieoffset", dwarf.offset_of) && find(library, "dwarf_offdie", dwarf.die_at) &&
         find(library, "dwarf_tag", dwarf.tag_of) && find(library, "dwarf_diename", dwarf.die_name) &&
         find(library, "dwarf_attr", dwarf.attribute_of) &&
         find(library, "dwarf_formudata", dwarf.number_in) &&
         find(library, "dwarf_getsrcfiles", dwarf.files_of) &&
         find(library, "dwarf_filesrc", dwarf.file_name) &&
         find(library, "dwfl_module_nextcu", dwarf.unit_after) &&
         find(library, "dwarf_haspc", dwarf.has_address) &&
         find(library, "dwarf_getsrc_die", dwarf.line_in_unit) &&
         find(library, "dwarf_linesrc", dwarf.file_of_line) &&
         find(library, "dwarf_lineno", dwarf.number_of_line);
}

DwarfDie* find_unit(const DwarfLibrary& dwarf, DwflModule* module, uint64_t address, uint64_t* bias) {
  DwarfDie* unit = dwarf.unit_at(module, address, bias);
  if (unit) return unit;
  do {
    unit = dwarf.unit_after(module, unit, bias);
  } while (unit && dwarf.has_address(unit, address - *bias) <= 0);
  return unit;
}

bool find_line(const DwarfLibrary& dwarf, DwflModule* module, uint64_t address, SourceLine& line) {
  if (DwflLine* found = dwarf.line_of(module, address))
    line.file = dwarf.line_info(found, nullptr, &line.number, nullptr, nullptr, nullptr);
  if (line.file) return true;
  uint64_t bias = 0;
  DwarfDie* const unit = find_unit(dwarf, module, address, &bias);
  DwarfLine* const found = unit ? dwarf.line_in_unit(unit, address - bias) : nullptr;
  if (!found) return false;
  line.file = dwarf.file_of_line(found, nullptr, nullptr);
  return line.file && dwarf.number_of_line(found, &line.number) == 0;
}

bool find_scope(const DwarfLibrary& dwarf, DwarfDie* unit, uint64_t address, DwarfDie& scope) {
  DwarfDie* scopes = nullptr;
  const bool found = dwarf.scopes_at(unit, address, &scopes) > 0;
  if (found) scope = scopes[0];
  std::free(scopes);
  return found || find_within(dwarf, *unit, address, scope);
}

std::string readable_symbol(const char* name) {
  if (!name) return "?";
  // A word such as `f` or `i` is also how C++ writes float and int: only what begins so is the name of something.
  if (!std::string_view(name).starts_with("_Z")) return name;
  int status = 0;
  char* text = abi::__cxa_demangle(name, nullptr, nullptr, &status);
  const std::string result = text ? text : name;
  std::free(text);
  return result;
}

}  // namespace atrium
