// Standard input of this oshrun in pieces, each read when those who take them have the last one.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string_view>

#include "launch/io/loop.hpp"

namespace atrium {

class StandardInput final : public Watcher {
 public:
  // `is_wanted`: somebody would take a piece, and all have taken the last one. An empty piece is the end.
  StandardInput(Loop& loop, std::function<bool()> is_wanted, std::function<void(std::string_view)> take);

  // What is_wanted() answers may have changed. May be called while a piece is taken.
  void pump();
  void on_ready() override;

 private:
  void listen(bool wanted);
  void await_foreground();
  void read_piece();

  Loop& loop_;
  std::function<bool()> is_wanted_;
  std::function<void(std::string_view)> take_;
  bool listening_ = false, reading_ = false, ended_ = false, awaits_foreground_ = false;
  bool always_ready_ = false;  // a regular file
};

}  // namespace atrium
