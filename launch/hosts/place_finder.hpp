// Finds the places of waits in a process of its own, because reading debugging information takes long, and an agent that is silent
// for so long is taken for lost.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "launch/io/pipe_reader.hpp"
#include "launch/report/wait_places.hpp"

namespace atrium {

class PlaceFinder {
 public:
  using Find = std::function<std::vector<PlacedWait>()>;
  using Answer = std::function<void(std::vector<PlacedWait>)>;

  // `answer` is called once for each start that finds nothing else going on.
  PlaceFinder(Loop& loop, Answer answer)
      : answer_(std::move(answer)), from_child_(loop, [this](std::string_view bytes) { take(bytes); }) {}

  void start(const Find& find);

 private:
  void take(std::string_view bytes);

  Answer answer_;
  PipeReader from_child_;
  std::string said_;
};

}  // namespace atrium
