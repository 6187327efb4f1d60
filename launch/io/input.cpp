// Copies standard input into one pipe per reader, at the pace of the slowest.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/io/input.hpp"

#include <unistd.h>

namespace atrium {

Input::Input(Loop& loop, const PeSet& readers, bool terminal_is_taken)
    : readers_(terminal_is_taken ? PeSet{} : readers),
      inherit_(!readers_.all && readers_.numbers.size() <= 1 && !isatty(STDIN_FILENO)),
      copies_(loop, readers_, [this] { pump(); }),
      source_(
          loop, [this] { return copies_.is_wanted() && !copies_.is_pending(); },
          [this](std::string_view piece) { copies_.put(piece); }) {}

int Input::stream_of(int pe) { return inherit_ && readers_.has(pe) ? STDIN_FILENO : copies_.stream_of(pe); }

}  // namespace atrium
