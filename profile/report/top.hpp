// Prints what every PE does now, with a line for each PE (oshrun --top and atrium-top).
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <string>
#include <vector>

#include "profile/report/places.hpp"

namespace atrium::profile {

// The size of a terminal; 0: there is no limit.
struct Screen {
  size_t columns = 0, rows = 0;
};
Screen screen_of(int fd);

class Top {
 public:
  explicit Top(const RecordBuffer& buffer);

  // The lines, with rates since the last call; the first call has rates since the beginning. They fit into a screen, so that they
  // can be overwritten: where it has too few rows, neighbours that do the same share one, and then some are left out.
  std::string look(const Screen& screen);

 private:
  struct Counts {
    uint64_t calls = 0, bytes = 0, heap = 0;
  };
  struct State {
    std::string what, detail;
    uint64_t since = 0;  // ticks; 0: for how long is of no interest
  };
  struct Row {
    int first, last;
    Counts counts;  // a second, but for the heap
    State state;
  };
  using Cells = std::array<std::string, 5>;

  Row row_of(int pe, double seconds);
  State state_of(int pe);
  State state_of(const Page& page, const Thread& call, uint32_t doing);
  std::string missing(const Page& page, const Thread& call) const;
  Counts count(const Page& page) const;
  Cells cells_of(const Row& row, uint64_t now) const;
  std::string lay_out(const std::vector<Cells>& rows, size_t columns);

  const RecordBuffer& buffer_;
  Places places_;
  Scale scale_;
  uint64_t last_look_ = 0;
  std::vector<Counts> before_;
  std::array<size_t, 4> widths_{4, 7, 8, 8};  // they grow, so that numbers stay where they are
};

}  // namespace atrium::profile
