// Where the executable keeps its writable static data.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/result.hpp"

namespace atrium {

// The executable's .data and .bss, whole pages: from the end of what the dynamic linker made read-only (RELRO) to the
// end of .bss. Thread-local data (.tdata) is a template inside RELRO and not part of it.
struct DataSegment {
  uintptr_t begin = 0;
  uintptr_t file_end = 0;    // up to here (rounded up to a page) the pages come from the file
  uintptr_t end = 0;         // rounded up to a page
  uint64_t fingerprint = 0;  // equal in two processes exactly when their segments have the same shape (ASLR taken out)
  size_t size() const { return end - begin; }
};

// An executable without writable data has size() 0.
Result<DataSegment> find_data_segment();

}  // namespace atrium
