// Finds the places of waits in a process of its own, because reading debugging information takes long, and an agent that is silent
// for so long is taken for lost.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "launch/io/loop.hpp"
#include "launch/report/wait_places.hpp"

namespace atrium {

class PlaceFinder final : public Watcher {
 public:
  using Find = std::function<std::vector<PlacedWait>()>;
  using Answer = std::function<void(std::vector<PlacedWait>)>;

  // `answer` is called once for each start that finds nothing else going on.
  PlaceFinder(Loop& loop, Answer answer) : loop_(loop), answer_(std::move(answer)) {}
  ~PlaceFinder();

  void start(const Find& find);
  void on_ready() override;

 private:
  void close();

  Loop& loop_;
  Answer answer_;
  int from_child_ = -1;
  std::string said_;
};

}  // namespace atrium
