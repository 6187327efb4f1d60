// Copies standard input into one pipe per reader, at the pace of the slowest.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/io/input.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "launch/io/foreground.hpp"

namespace atrium {
namespace {

constexpr size_t chunk_size = 1 << 16;

}  // namespace

// Standard input as the loop sees it.
class Input::Reader final : public Watcher {
 public:
  explicit Reader(Input& input) : input_(input) {}

  void on_ready() override { input_.read_some(); }

  void listen(bool wanted) {
    if (wanted == listening_ || ended_) return;
    listening_ = wanted;
    if (!wanted)
      input_.loop_.forget(STDIN_FILENO);
    else if (!input_.loop_.watch(STDIN_FILENO, EPOLLIN, *this))
      always_ready_ = true;  // a regular file
  }
  void end() {
    listen(false);
    ended_ = true;
  }
  bool ended() const { return ended_; }
  bool always_ready() const { return always_ready_; }

 private:
  Input& input_;
  bool listening_ = false;
  bool always_ready_ = false;
  bool ended_ = false;
};

Input::Input(Loop& loop, const PeSet& readers, bool terminal_is_taken)
    : loop_(loop), readers_(readers), nothing_(open("/dev/null", O_RDONLY | O_CLOEXEC)) {
  const bool several = readers.all || readers.numbers.size() > 1;
  copy_ = !terminal_is_taken && (several || isatty(STDIN_FILENO));
  inherit_ = !terminal_is_taken && !copy_;
}

Input::~Input() = default;

int Input::stream_of(int pe) {
  if (!readers_.has(pe)) return nothing_;
  if (inherit_) return STDIN_FILENO;
  if (!copy_) return nothing_;
  pipes_.push_back(std::make_unique<InputPipe>(loop_, pe, [this] { pump(); }));
  return pipes_.back()->for_pe();
}

void Input::start() {
  for (auto& pipe : pipes_) pipe->close_other_end();
  if (pipes_.empty()) return;
  reader_ = std::make_unique<Reader>(*this);
  pump();
}

void Input::follow_foreground() {
  if (reader_) pump();
}

void Input::drop(int pe) {
  for (auto& pipe : pipes_)
    if (pipe->pe() == pe) pipe->close();
  if (reader_) pump();
}

bool Input::pending() const {
  return std::any_of(pipes_.begin(), pipes_.end(), [](const auto& pipe) { return !pipe->empty(); });
}

// Decides what to wait for next.
void Input::pump() {
  const bool wanted =
      std::any_of(pipes_.begin(), pipes_.end(), [](const auto& pipe) { return !pipe->closed(); });
  if (!wanted) return reader_->end();
  reader_->listen(!pending() && may_read_input());
  while (reader_->always_ready() && !reader_->ended() && !pending()) read_some();
}

void Input::read_some() {
  static char chunk[chunk_size];
  const ssize_t n = ::read(STDIN_FILENO, chunk, sizeof chunk);
  if (n < 0 && (errno == EINTR || errno == EAGAIN)) return;
  if (n > 0) {
    for (auto& pipe : pipes_) pipe->put(chunk, static_cast<size_t>(n));
  } else {
    reader_->end();
    for (auto& pipe : pipes_) pipe->close();
  }
  if (!reader_->always_ready()) pump();
}

}  // namespace atrium
