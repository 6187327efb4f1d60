// The lines of source code that calls belong to; each address is looked up once.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "profile/buffer/record_buffer.hpp"
#include "symbols/debug_info.hpp"
#include "symbols/place.hpp"

namespace atrium::profile {

// How the program calls the routine at that place: as in C, or in Fortran.
const char* written_name(const CallSite& line, const SourcePlace& place);

// In this process: oshrun and atrium-top have time for thousands of lines, and a child for each would take long. Where libdw is
// not there, addr2line is asked for all lines of a page at once.
class Places {
 public:
  const SourcePlace& of(const Page& page, const CallSite& line);
  const char* routine_of(const Page& page, const CallSite& line) {
    return written_name(line, of(page, line));
  }
  bool any_unknown() const { return any_unknown_; }

 private:
  using Address = std::pair<std::string, uint64_t>;  // a file, and the address of an instruction in it

  SourcePlace look_up(const Page& page, uint32_t module, const Address& address);
  void ask_for_lines(const Page& page, uint32_t module, const std::string& file);

  std::map<std::string, std::unique_ptr<DebugInfo>> files_;
  std::map<Address, std::vector<SourceFrame>> by_addr2line_;
  std::map<Address, SourcePlace> known_;
  bool any_unknown_ = false;
};

}  // namespace atrium::profile
