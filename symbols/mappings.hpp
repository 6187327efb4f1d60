// What a process has mapped, according to the kernel, and the files of programs among it.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace atrium {

// A line of /proc/PID/maps: a range, and what the kernel calls it ("" for nothing, "[stack]", "/usr/lib/libc.so.6").
struct MapsLine {
  uintptr_t begin = 0, end = 0;
  uint64_t offset = 0;  // in the file
  bool is_readable = false, is_code = false;
  bool is_private = false;  // no other process has it
  std::string name;

  bool has(uintptr_t address) const { return address - begin < end - begin; }
};

// The number by which /proc is asked about this process: that of a thread that is there. Under the number of the main thread
// nothing is found when that thread has ended before the others. In a PID namespace without a /proc of its own it is another number than
// gettid()'s. For a signal handler, too.
pid_t this_process();

// None of a process that has ended or may not be looked at.
std::vector<MapsLine> mappings_of(pid_t process);

// Whether the process has memory there that can be read. Takes no blocks and little stack: for a signal handler, which may have
// interrupted malloc, and may run on a small stack of the program's.
bool has_readable_memory(pid_t process, uintptr_t address);

// A file of code, and what is added to its addresses to get where the process has it.
struct MappedFile {
  std::string path;
  uintptr_t bias = 0;
};

// The one that an address belongs to by its headers: also where other memory has been mapped over its variables.
std::optional<MappedFile> mapped_file_at(const std::vector<MapsLine>& mappings, uintptr_t address);

}  // namespace atrium
