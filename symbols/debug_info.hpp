// What debugging information says of addresses, of a process or of a file that none need run.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "symbols/libdw.hpp"
#include "symbols/names.hpp"

namespace atrium {

// One function at an address; where it was inlined, the next one is its caller.
struct SourceFrame {
  std::string function;  // as written; empty: unknown
  std::string file;      // as the debugging information has it; empty: unknown
  int line = 0;
  bool is_inlined = false;
};

// Knows nothing where there is no libdw.so.1, and where file or process cannot be read. What libdw has read stays: code that
// asks is about to end, or asks again.
class DebugInfo {
 public:
  explicit DebugInfo(pid_t process);            // addresses are those of the process
  explicit DebugInfo(const std::string& file);  // as the file itself counts

  DebugInfo(const DebugInfo&) = delete;
  DebugInfo& operator=(const DebugInfo&) = delete;

  bool is_open() const { return files_ != nullptr; }
  // The innermost function first. Empty: nothing is at that address.
  std::vector<SourceFrame> frames_at(uint64_t address) const;
  // The file that an address of the process lies in; empty: none.
  std::string file_at(uint64_t address) const;
  // Without a name: unknown.
  NamedVariable variable_at(uint64_t address) const;

 private:
  Dwfl* begin(void* find_section);
  DwflModule* module_of(uint64_t address) const;

  const Libdw* const dw_;
  DwflCallbacks callbacks_{};
  Dwfl* files_ = nullptr;
  DwflModule* only_ = nullptr;  // of a file
  uint64_t shift_ = 0;          // from the file's own addresses to libdw's
};

}  // namespace atrium
