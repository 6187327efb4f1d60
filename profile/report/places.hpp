// The lines of source code that calls belong to; each address is looked up once.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>

#include "profile/sheet/sheet.hpp"
#include "symbols/place.hpp"

namespace atrium::profile {

// In this process: oshrun and atrium-top have time for thousands of lines, and a child for each would take long.
class Places {
 public:
  const SourcePlace& of(const Page& page, const CallSite& line);
  bool any_unknown() const { return any_unknown_; }

 private:
  SourcePlace look_up(const std::string& module, uint64_t address);

  std::map<std::string, std::unique_ptr<DebugInfo>> files_;
  std::map<std::pair<std::string, uint64_t>, SourcePlace> known_;
  bool any_unknown_ = false;
};

}  // namespace atrium::profile
