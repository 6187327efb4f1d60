// Writes each piece into one pipe for each reader, and acknowledges it.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/io/fed_input.hpp"

#include <fcntl.h>

#include <algorithm>

namespace atrium {

FedInput::FedInput(Loop& loop, const PeSet& readers, Follower follower)
    : loop_(loop),
      readers_(readers),
      follower_(std::move(follower)),
      nothing_(open("/dev/null", O_RDONLY | O_CLOEXEC)) {}

int FedInput::stream_of(int pe) {
  if (!readers_.has(pe)) return nothing_;
  pipes_.push_back(std::make_unique<InputPipe>(loop_, pe, [this] { follow(); }));
  return pipes_.back()->for_pe();
}

void FedInput::start() {
  for (auto& pipe : pipes_) pipe->close_other_end();
  follow();
}

void FedInput::drop(int pe) {
  for (auto& pipe : pipes_)
    if (pipe->pe() == pe) pipe->close();
  follow();
}

void FedInput::put(std::string_view bytes) {
  for (auto& pipe : pipes_) {
    if (bytes.empty())
      pipe->finish();
    else
      pipe->put(bytes.data(), bytes.size());
  }
  busy_ = true;
  follow();
}

void FedInput::follow() {
  if (busy_ && std::all_of(pipes_.begin(), pipes_.end(), [](const auto& pipe) { return pipe->empty(); })) {
    busy_ = false;
    follower_.on_taken();
  }
  if (!unwanted_ &&
      std::all_of(pipes_.begin(), pipes_.end(), [](const auto& pipe) { return pipe->closed(); })) {
    unwanted_ = true;
    follower_.on_unwanted();
  }
}

}  // namespace atrium
