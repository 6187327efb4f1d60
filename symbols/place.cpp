// Leaves the routines of shmem.h, which lie between the program's line and the library.
// SPDX-License-Identifier: BSD-3-Clause
#include "symbols/place.hpp"

#include <algorithm>
#include <iterator>

#include "atrium_words.hpp"
#include "symbols/fortran_calls.hpp"
#include "symbols/symbol_table.hpp"

namespace atrium {
namespace {

bool is_of_shmem(const SourceFrame& frame) {
  constexpr const char* headers[] = {"shmem/inline.h", "shmem/fast.h", "shmem/blocks.h", "shmem/overloads.h",
                                     "shmem/generics.h"};
  return (frame.is_inlined && frame.function.starts_with("shmem_")) ||
         std::any_of(std::begin(headers), std::end(headers),
                     [&](const char* header) { return frame.file.ends_with(header); });
}

}  // namespace

std::string SourcePlace::file_name() const { return file_name_of(file); }

std::string SourcePlace::short_text() const {
  if (has_line()) return file_name() + ":" + std::to_string(line);
  if (module.empty()) return "an unknown place";
  return function.empty() ? file_name_of(module) + "+" + hexadecimal(offset)
                          : function + " of " + file_name_of(module);
}

std::string SourcePlace::text() const {
  return short_text() + (has_line() && !function.empty() ? " in " + function : "");
}

SourcePlace place_of_frames(const std::vector<SourceFrame>& frames) {
  SourcePlace place;
  for (const SourceFrame& frame : frames) {
    if (is_of_shmem(frame) && frame.function.starts_with("shmem_")) place.routine = frame.function;
    place.function = frame.function;
    if (frame.file.empty() || frame.line == 0 || is_of_shmem(frame)) continue;
    place.file = frame.file;
    place.line = frame.line;
    break;
  }
  return place;
}

SourcePlace place_in_file(SourcePlace known, const std::string& file, uint64_t address) {
  known.routine = fortran_routine_before(file, address + 1);  // places that are printed alike are one
  if (known.function.empty()) known.function = function_in(file, address);
  if (known.has_line()) return known;
  known.module = file;
  if (known.function.empty()) known.offset = address + 1;  // where the call returns to
  return known;
}

}  // namespace atrium
