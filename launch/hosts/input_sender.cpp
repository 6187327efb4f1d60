// The first oshrun is a branch without PEs of its own, and reads its standard input for those below.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/hosts/input_sender.hpp"

#include <utility>

namespace atrium {

InputSender::InputSender(Loop& loop, std::vector<RemoteHost*> readers)
    : branch_({[this] { pump(); }, [this] { pump(); }}),
      source_(
          loop, [this] { return branch_.wants_more(); },
          [this](std::string_view piece) { branch_.put(piece); }) {
  branch_.set_readers(std::move(readers));
}

}  // namespace atrium
