// Reads the output pipes of the PEs and passes each piece on as it comes.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/io/relay.hpp"

#include <utility>

namespace atrium {

struct OutputRelay::Stream {
  Stream(OutputRelay& relay, int pe, bool is_error, int fd)
      : pe(pe), is_error(is_error), pipe(relay.loop_, [this, &relay](std::string_view bytes) {
          if (!bytes.empty()) relay.hand_on_(this->pe, this->is_error, bytes);
        }) {
    pipe.open(fd);
    pipe.pause(relay.paused_);
  }

  const int pe;
  const bool is_error;
  PipeReader pipe;
};

OutputRelay::OutputRelay(Loop& loop, HandOn hand_on) : loop_(loop), hand_on_(std::move(hand_on)) {}

OutputRelay::~OutputRelay() = default;

void OutputRelay::add(int pe, int out_fd, int error_fd) {
  streams_.push_back(std::make_unique<Stream>(*this, pe, false, out_fd));
  streams_.push_back(std::make_unique<Stream>(*this, pe, true, error_fd));
}

void OutputRelay::finish_pe(int pe) {
  for (auto& stream : streams_)
    if (stream->pe == pe) stream->pipe.drain();
}

void OutputRelay::finish_all() {
  for (auto& stream : streams_) stream->pipe.drain();
}

void OutputRelay::pause(bool paused) {
  paused_ = paused;
  for (auto& stream : streams_) stream->pipe.pause(paused);
}

void OutputRelay::close(bool is_error) {
  for (auto& stream : streams_)
    if (stream->is_error == is_error) stream->pipe.close();
}

}  // namespace atrium
