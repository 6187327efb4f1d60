// Where the executable keeps its writable static data.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/result.hpp"

namespace atrium {

// The executable's .data and .bss, whole pages: from the end of what the dynamic linker made read-only
// (RELRO) to the end of the last writable segment. Thread-local data (.tdata) is a template inside RELRO and
// not part of it. There are several writable segments where large objects have sections of their own
// (-mcmodel=medium: .ldata, .lbss); what lies between them counts as part of the range: unused bytes, and large
// constants (.lrodata).
struct DataSegment {
  struct FromFile {
    uintptr_t begin = 0;
    uintptr_t end = 0;
    bool is_constant = false;
  };
  static constexpr size_t most_parts = 8;

  uintptr_t begin = 0;
  uintptr_t end = 0;  // rounded up to a page
  // Pages that come from the executable's file; the others begin as zeros.
  FromFile from_file[most_parts];
  size_t parts = 0;
  // Equal in two processes exactly when their segments have the same shape (ASLR taken out).
  uint64_t fingerprint = 0;
  // Of the executable's build ID, which distinguishes builds whose segments have the same shape; 0: it has none.
  uint64_t build = 0;

  size_t size() const { return end - begin; }
  bool is_from_file(uintptr_t page) const;
};

// An executable without writable data has size() 0.
Result<DataSegment> find_data_segment();

}  // namespace atrium
