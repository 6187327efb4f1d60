// Functions, files and lines of addresses in a file that no process need run: programs and libraries, by elfutils' libdwfl.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace atrium::profile {

// One function at an address; where it was inlined, the next one is its caller.
struct SourceFrame {
  std::string function;  // empty: unknown
  std::string file;      // empty: unknown
  int line = 0;
};

class ProgramLines {
 public:
  explicit ProgramLines(const std::string& file);
  ~ProgramLines();
  ProgramLines(const ProgramLines&) = delete;
  ProgramLines& operator=(const ProgramLines&) = delete;

  // The innermost function first. Empty: the file has no such address, or there is no libdw.so.1.
  // `address` is as the file itself counts.
  std::vector<SourceFrame> frames_at(uint64_t address) const;

 private:
  struct Opened;
  std::unique_ptr<Opened> opened_;
};

}  // namespace atrium::profile
