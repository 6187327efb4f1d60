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

// Result, name, arguments.
#define ATRIUM_LIBDW(function)                                                                             \
  function(Dwfl*, dwfl_begin, (const DwflCallbacks*)) function(                                            \
      int, dwfl_linux_proc_report,                                                                         \
      (Dwfl*, pid_t)) function(DwflModule*, dwfl_report_offline,                                           \
                               (Dwfl*, const char* name, const char* path, int fd))                        \
      function(int, dwfl_report_end, (Dwfl*, void*, void*)) function(                                      \
          void, dwfl_linux_proc_find_elf, ()) function(void, dwfl_standard_find_debuginfo, ())             \
          function(void, dwfl_offline_section_address, ()) function(                                       \
              ptrdiff_t, dwfl_getmodules,                                                                  \
              (Dwfl*, int (*)(DwflModule*, void**, const char*, uint64_t, void*), void*, ptrdiff_t))       \
              function(DwflModule*, dwfl_addrmodule, (Dwfl*, uint64_t address)) function(                  \
                  const char*, dwfl_module_info,                                                           \
                  (DwflModule*, void***, uint64_t*, uint64_t*, uint64_t*, uint64_t*, const char**,         \
                   const char**)) function(void*, dwfl_module_getelf, (DwflModule*, uint64_t * bias))      \
                  function(const char*, dwfl_module_addrinfo,                                              \
                           (DwflModule*, uint64_t address, uint64_t * offset, void* symbol, void*, void**, \
                            uint64_t*)) function(DwarfDie*, dwfl_module_addrdie,                           \
                                                 (DwflModule*, uint64_t address, uint64_t * bias))         \
                      function(DwarfDie*, dwfl_module_nextcu,                                              \
                               (DwflModule*, DwarfDie * unit, uint64_t * bias))                            \
                          function(int, dwarf_child, (DwarfDie*, DwarfDie * result)) function(             \
                              int, dwarf_siblingof,                                                        \
                              (DwarfDie*, DwarfDie * result)) function(int, dwarf_tag, (DwarfDie*))        \
                              function(const char*, dwarf_diename, (DwarfDie*)) function(                  \
                                  int, dwarf_haspc, (DwarfDie*, uint64_t address))                         \
                                  function(DwarfAttribute*, dwarf_attr,                                    \
                                           (DwarfDie*, unsigned name, DwarfAttribute* result))             \
                                      function(int, dwarf_formudata, (DwarfAttribute*, uint64_t * number)) \
                                          function(int, dwarf_getsrcfiles,                                 \
                                                   (DwarfDie * unit, DwarfFiles**, size_t * count))        \
                                              function(const char*, dwarf_filesrc,                         \
                                                       (DwarfFiles*, size_t number, uint64_t*, uint64_t*)) \
                                                  function(DwarfLine*, dwarf_getsrc_die,                   \
                                                           (DwarfDie * unit, uint64_t address))            \
                                                      function(const char*, dwarf_linesrc,                 \
                                                               (DwarfLine*, uint64_t*, uint64_t*))         \
                                                          function(int, dwarf_lineno, (DwarfLine*, int*))

struct Libdw {
#define ATRIUM_MEMBER(result, name, arguments) result(*name) arguments;
  ATRIUM_LIBDW(ATRIUM_MEMBER)
#undef ATRIUM_MEMBER
};

// Null: there is no libdw.so.1.
const Libdw* open_libdw();

}  // namespace atrium
