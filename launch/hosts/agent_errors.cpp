// Reads standard error and keeps the text until its line is complete.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/hosts/agent_errors.hpp"

namespace atrium {
namespace {

constexpr size_t most_kept = 4096;  // for a message

}  // namespace

AgentErrors::AgentErrors(Loop& loop, int fd)
    : pipe_(loop, [this](std::string_view bytes) {
        text_ += bytes;
        if (!output_ && text_.size() > most_kept) text_.erase(0, text_.size() - most_kept);
        show(false);
      }) {
  pipe_.open(fd);
}

void AgentErrors::show_to(FarOutput& output) {
  output_ = &output;
  show(false);
}

void AgentErrors::drain() {
  pipe_.drain();
  show(true);
}

void AgentErrors::show(bool all) {
  if (!output_) return;
  const size_t end = all ? text_.size() : text_.rfind('\n') + 1;  // npos + 1 is 0
  if (end == 0) return;
  output_->say(text_.substr(0, end) + (text_[end - 1] == '\n' ? "" : "\n"));
  text_.erase(0, end);
}

}  // namespace atrium
