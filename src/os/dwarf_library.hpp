// elfutils' libdw, opened when somebody wants lines of source code.
// SPDX-License-Identifier: BSD-3-Clause
//
// What elfutils/libdwfl.h and libdw.h declare, as far as it is used here: their ABI is that of libdw.so.1, and the headers
// need not be installed where Atrium is built.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace atrium {

struct Dwfl;
struct DwflModule;
struct DwflLine;
struct DwflCallbacks {
  void* find_elf;
  void* find_debuginfo;
  void* section_address;
  char** debuginfo_path;
};

struct Dwarf;
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

struct DwarfLibrary {
  Dwfl* (*begin)(const DwflCallbacks*);
  int (*report_process)(Dwfl*, pid_t);
  DwflModule* (*report_file)(Dwfl*, const char* name, const char* path, int fd);
  int (*report_end)(Dwfl*, void*, void*);
  DwflModule* (*module_of)(Dwfl*, uint64_t);
  const char* (*module_info)(DwflModule*, void***, uint64_t*, uint64_t*, uint64_t*, uint64_t*, const char**,
                             const char**);
  const char* (*name_of)(DwflModule*, uint64_t);
  const char* (*symbol_of)(DwflModule*, uint64_t, uint64_t* offset, void* symbol, void*, void**, uint64_t*);
  ptrdiff_t (*each_module)(Dwfl*, int (*)(DwflModule*, void**, const char*, uint64_t, void*), void*,
                           ptrdiff_t);
  DwflLine* (*line_of)(DwflModule*, uint64_t);
  const char* (*line_info)(DwflLine*, uint64_t*, int*, int*, uint64_t*, uint64_t*);
  void *find_elf, *find_debuginfo, *offline_section;

  DwarfDie* (*unit_at)(DwflModule*, uint64_t address, uint64_t* bias);
  void* (*elf_of)(DwflModule*, uint64_t* bias);
  Dwarf* (*dwarf_of)(DwflModule*, uint64_t* bias);
  int (*scopes_at)(DwarfDie* unit, uint64_t address, DwarfDie** scopes);
  int (*scopes_around)(DwarfDie*, DwarfDie** scopes);
  int (*first_child)(DwarfDie*, DwarfDie* result);
  int (*next_sibling)(DwarfDie*, DwarfDie* result);
  uint64_t (*offset_of)(DwarfDie*);
  DwarfDie* (*die_at)(Dwarf*, uint64_t offset, DwarfDie* result);
  int (*tag_of)(DwarfDie*);
  const char* (*die_name)(DwarfDie*);
  DwarfAttribute* (*attribute_of)(DwarfDie*, unsigned name, DwarfAttribute* result);
  int (*number_in)(DwarfAttribute*, uint64_t* number);
  int (*files_of)(DwarfDie* unit, DwarfFiles**, uint64_t* count);
  const char* (*file_name)(DwarfFiles*, uint64_t number, uint64_t*, uint64_t*);
  DwarfDie* (*unit_after)(DwflModule*, DwarfDie* unit, uint64_t* bias);
  int (*has_address)(DwarfDie*, uint64_t address);
  DwarfLine* (*line_in_unit)(DwarfDie* unit, uint64_t address);
  const char* (*file_of_line)(DwarfLine*, uint64_t*, uint64_t*);
  int (*number_of_line)(DwarfLine*, int*);
};

// False: there is no libdw.so.1.
bool open_dwarf_library(DwarfLibrary& library);

// The compilation unit of an address, and the file and line; null and false: unknown. Also where the compiler has written no
// table of addresses (.debug_aranges), as clang does not.
DwarfDie* find_unit(const DwarfLibrary& dwarf, DwflModule* module, uint64_t address, uint64_t* bias);
struct SourceLine {
  const char* file = nullptr;
  int number = 0;
};
bool find_line(const DwarfLibrary& dwarf, DwflModule* module, uint64_t address, SourceLine& line);

// The innermost function, inlined one or block around an address; false: none. Also in functions that are declared within others
// and lie elsewhere, as gcc makes of OpenMP's parallel regions.
bool find_scope(const DwarfLibrary& dwarf, DwarfDie* unit, uint64_t address, DwarfDie& scope);

// A symbol's name as it was written; "?" for none.
std::string readable_symbol(const char* name);

}  // namespace atrium
