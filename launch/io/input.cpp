// Copies standard input into one pipe per reader, at the pace of the slowest.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/io/input.hpp"

#include <unistd.h>

namespace atrium {

Input::Input(Loop& loop, const PeSet& readers, bool terminal_is_taken)
    : loop_(loop),
      readers_(terminal_is_taken ? PeSet{} : readers),
      inherit_(!readers_.all && readers_.numbers.size() <= 1 && !isatty(STDIN_FILENO)),
      copies_(loop, readers_, {[this] { pump(); }, [this] { pump(); }}) {}

int Input::stream_of(int pe) { return inherit_ && readers_.has(pe) ? STDIN_FILENO : copies_.stream_of(pe); }

void Input::start() {
  copies_.start();
  source_.emplace(
      loop_, [this] { return copies_.wants_more(); }, [this](std::string_view piece) { copies_.put(piece); });
  pump();
}

void Input::pump() {
  if (source_) source_->pump();
}

}  // namespace atrium
