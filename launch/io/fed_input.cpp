// Writes each piece into one pipe for each reader, and acknowledges it.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/io/fed_input.hpp"

#include <fcntl.h>

#include <algorithm>

namespace atrium {

FedInput::FedInput(Loop& loop, const PeSet& readers, std::function<void()> on_change)
    : loop_(loop),
      readers_(readers),
      on_change_(std::move(on_change)),
      nothing_(open("/dev/null", O_RDONLY | O_CLOEXEC)) {}

int FedInput::stream_of(int pe) {
  if (!readers_.has(pe)) return nothing_;
  pipes_.push_back(std::make_unique<InputPipe>(loop_, pe, on_change_));
  return pipes_.back()->for_pe();
}

void FedInput::start() {
  for (auto& pipe : pipes_) pipe->close_other_end();
  on_change_();
}

void FedInput::drop(int pe) {
  for (auto& pipe : pipes_)
    if (pipe->pe() == pe) pipe->close();
  on_change_();
}

void FedInput::put(std::string_view bytes) {
  for (auto& pipe : pipes_) {
    if (bytes.empty())
      pipe->finish();
    else
      pipe->put(bytes.data(), bytes.size());
  }
  on_change_();
}

bool FedInput::is_wanted() const {
  return std::any_of(pipes_.begin(), pipes_.end(), [](const auto& pipe) { return !pipe->closed(); });
}

bool FedInput::is_pending() const {
  return std::any_of(pipes_.begin(), pipes_.end(), [](const auto& pipe) { return !pipe->empty(); });
}

}  // namespace atrium
