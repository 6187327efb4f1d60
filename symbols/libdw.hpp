// elfutils' libdw, opened when lines of source code are first needed.
// SPDX-License-Identifier: BSD-3-Clause
//
// What elfutils/libdwfl.h and libdw.h declare, under the names that those have, as far as it is used here: their ABI is that of
// libdw.so.1, and the headers need not be installed where Atrium is built.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>

namespace atrium {

struct Dwfl;
struct DwflModule;
struct DwflCallbacks {
  void* find_elf;
  void* find_debuginfo;
  void* section_address;
  char** debuginfo_path;
};
struct DwarfLine;
struct DwarfFiles;
struct DwarfDie {
  void *address, *unit, *abbreviation;
  long padding;
};
struct DwarfAttribute {
  unsigned code, form;
  unsigned char* value;
  void* unit;
};
struct DwarfOperation {
  uint8_t code;
  uint64_t number, second_number, offset;
};

// Result, name, arguments.
// clang-format off
#define ATRIUM_LIBDW(X) \
  X(Dwfl*, dwfl_begin, (const DwflCallbacks*)) \
  X(int, dwfl_linux_proc_report, (Dwfl*, pid_t)) \
  X(DwflModule*, dwfl_report_offline, (Dwfl*, const char* name, const char* path, int fd)) \
  X(int, dwfl_report_end, (Dwfl*, void*, void*)) \
  X(void, dwfl_linux_proc_find_elf, ()) \
  X(void, dwfl_standard_find_debuginfo, ()) \
  X(void, dwfl_offline_section_address, ()) \
  X(ptrdiff_t, dwfl_getmodules, (Dwfl*, int (*)(DwflModule*, void**, const char*, uint64_t, void*), void*, ptrdiff_t)) \
  X(DwflModule*, dwfl_addrmodule, (Dwfl*, uint64_t address)) \
  X(const char*, dwfl_module_info, \
    (DwflModule*, void***, uint64_t*, uint64_t*, uint64_t*, uint64_t*, const char**, const char**)) \
  X(void*, dwfl_module_getelf, (DwflModule*, uint64_t* bias)) \
  X(const char*, dwfl_module_addrinfo, \
    (DwflModule*, uint64_t address, uint64_t* offset, void* symbol, void*, void**, uint64_t*)) \
  X(DwarfDie*, dwfl_module_addrdie, (DwflModule*, uint64_t address, uint64_t* bias)) \
  X(DwarfDie*, dwfl_module_nextcu, (DwflModule*, DwarfDie* unit, uint64_t* bias)) \
  X(int, dwarf_cu_info, \
    (void* unit, uint16_t*, uint8_t*, DwarfDie*, DwarfDie* split, uint64_t*, uint8_t*, uint8_t*)) \
  X(int, dwarf_child, (DwarfDie*, DwarfDie* result)) \
  X(int, dwarf_siblingof, (DwarfDie*, DwarfDie* result)) \
  X(int, dwarf_tag, (DwarfDie*)) \
  X(const char*, dwarf_diename, (DwarfDie*)) \
  X(int, dwarf_haspc, (DwarfDie*, uint64_t address)) \
  X(DwarfAttribute*, dwarf_attr, (DwarfDie*, unsigned name, DwarfAttribute* result)) \
  X(int, dwarf_formudata, (DwarfAttribute*, uint64_t* number)) \
  X(int, dwarf_getlocation, (DwarfAttribute*, DwarfOperation**, size_t* count)) \
  X(int, dwarf_getsrcfiles, (DwarfDie* unit, DwarfFiles**, size_t* count)) \
  X(const char*, dwarf_filesrc, (DwarfFiles*, size_t number, uint64_t*, uint64_t*)) \
  X(DwarfLine*, dwarf_getsrc_die, (DwarfDie* unit, uint64_t address)) \
  X(const char*, dwarf_linesrc, (DwarfLine*, uint64_t*, uint64_t*)) \
  X(int, dwarf_lineno, (DwarfLine*, int*))
// clang-format on

struct Libdw {
#define ATRIUM_MEMBER(result, name, arguments) result(*name) arguments;
  ATRIUM_LIBDW(ATRIUM_MEMBER)
#undef ATRIUM_MEMBER
};

// Null: there is no libdw.so.1.
const Libdw* open_libdw();

}  // namespace atrium
