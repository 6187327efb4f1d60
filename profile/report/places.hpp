// Lines of the program, as people are told them.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <memory>
#include <string>

#include "profile/report/program_lines.hpp"
#include "profile/sheet/sheet.hpp"

namespace atrium::profile {

struct Place {
  std::string file;  // empty: unknown
  int line = 0;
  std::string function;
  std::string otherwise;  // said where the line is unknown: "prog+0x1234"

  std::string text() const;   // heat.c:41, or relax of prog, or prog+0x1234
  std::string whole() const;  // heat.c:41 in relax
  auto operator<=>(const Place&) const = default;
};

// Looks each of them up once.
class Places {
 public:
  const Place& of(const Page& page, const Line& line);
  bool any_unknown() const { return any_unknown_; }

 private:
  Place look_up(const std::string& module, uint64_t address);

  std::map<std::string, std::unique_ptr<ProgramLines>> files_;
  std::map<std::pair<std::string, uint64_t>, Place> known_;
  bool any_unknown_ = false;
};

}  // namespace atrium::profile
