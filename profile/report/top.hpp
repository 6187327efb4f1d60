// What every PE does now, a line each.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "profile/report/places.hpp"

namespace atrium::profile {

// On a terminal no line is longer than the screen is wide, so that it can be taken back.
std::string fit_to_screen(const std::string& text, int fd);

class Top {
 public:
  explicit Top(const Sheet& sheet);

  // The lines, with rates since the last look; the first look has rates since the beginning.
  std::string look();

 private:
  struct Counts {
    uint64_t calls = 0, bytes = 0;
  };
  std::string line_of(int pe, uint64_t now);
  std::string state_of(int pe, uint64_t now);
  std::string missing(const Page& page, const Thread& call) const;
  Counts count(const Page& page) const;

  const Sheet& sheet_;
  Places places_;
  Scale scale_;
  uint64_t last_look_ = 0;
  std::vector<Counts> before_;
};

}  // namespace atrium::profile
