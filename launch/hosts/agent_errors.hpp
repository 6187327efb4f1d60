// The standard error of an agent and of the command that has started it.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "launch/io/far_output.hpp"
#include "launch/io/pipe_reader.hpp"

namespace atrium {

// Until it is shown, it is kept to explain a failure.
class AgentErrors {
 public:
  AgentErrors(Loop& loop, int fd);  // takes the descriptor

  // The user, by whole lines, from now on.
  void show_to(FarOutput& output);
  // Whatever there is, also where its last line has no end.
  void drain();
  const std::string& text() const { return text_; }

 private:
  void show(bool all);

  PipeReader pipe_;
  FarOutput* output_ = nullptr;
  std::string text_;
};

}  // namespace atrium
