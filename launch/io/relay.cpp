// Reads the output pipes of the PEs and passes each piece on as it comes.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/io/relay.hpp"

#include <unistd.h>

#include <cerrno>
#include <utility>

namespace atrium {
namespace {

constexpr size_t chunk_size = 1 << 16;  // a pipe holds no more
constexpr int most_reads = 32;          // a process that writes on must not keep us

}  // namespace

class OutputRelay::Stream final : public Watcher {
 public:
  Stream(OutputRelay& relay, int pe, bool is_error, int fd)
      : pe(pe), is_error(is_error), relay_(relay), fd_(fd) {
    pause(relay.paused_);
  }
  ~Stream() { close(); }

  void on_ready() override { read_some(); }
  void drain() {
    for (int reads = 0; reads < most_reads && fd_ >= 0 && read_some(); ++reads) {
    }
  }
  void pause(bool paused) {
    if (fd_ < 0 || watched_ == !paused) return;
    watched_ = !paused;
    if (watched_)
      relay_.loop_.watch(fd_, EPOLLIN, *this);
    else
      relay_.loop_.forget(fd_);
  }
  void close() {
    pause(true);
    if (fd_ >= 0) ::close(std::exchange(fd_, -1));
  }

  const int pe;
  const bool is_error;

 private:
  // False when there is nothing to read now.
  bool read_some() {
    static char chunk[chunk_size];
    const ssize_t n = ::read(fd_, chunk, sizeof chunk);
    if (n > 0)
      relay_.hand_on_(pe, is_error, {chunk, static_cast<size_t>(n)});
    else if (n == 0 || (errno != EAGAIN && errno != EINTR))
      close();
    return n > 0;
  }

  OutputRelay& relay_;
  int fd_;
  bool watched_ = false;
};

OutputRelay::OutputRelay(Loop& loop, HandOn hand_on) : loop_(loop), hand_on_(std::move(hand_on)) {}

OutputRelay::~OutputRelay() = default;

void OutputRelay::add(int pe, int out_fd, int error_fd) {
  streams_.push_back(std::make_unique<Stream>(*this, pe, false, out_fd));
  streams_.push_back(std::make_unique<Stream>(*this, pe, true, error_fd));
}

void OutputRelay::finish_pe(int pe) {
  for (auto& stream : streams_)
    if (stream->pe == pe) stream->drain();
}

void OutputRelay::finish_all() {
  for (auto& stream : streams_) stream->drain();
}

void OutputRelay::pause(bool paused) {
  paused_ = paused;
  for (auto& stream : streams_) stream->pause(paused);
}

void OutputRelay::close(bool is_error) {
  for (auto& stream : streams_)
    if (stream->is_error == is_error) stream->close();
}

}  // namespace atrium
