// The standard error of an agent and of the command that has started it.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "launch/io/far_output.hpp"
#include "launch/io/loop.hpp"

namespace atrium {

// Until it is shown, it is kept to explain a failure.
class AgentErrors final : public Watcher {
 public:
  AgentErrors(Loop& loop, int fd);  // takes the descriptor
  ~AgentErrors() { close(); }

  // The user, by whole lines, from now on.
  void show_to(FarOutput& output);
  // Whatever there is, also where its last line has no end.
  void drain();
  const std::string& text() const { return text_; }

  void on_ready() override { read_some(); }

 private:
  bool read_some();
  void show(bool all);
  void close();

  Loop& loop_;
  int fd_;
  FarOutput* output_ = nullptr;
  std::string text_;
};

}  // namespace atrium
