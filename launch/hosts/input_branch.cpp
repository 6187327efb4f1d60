// Acknowledges each piece when all readers have taken it.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/hosts/input_branch.hpp"

#include <algorithm>

namespace atrium {

PeInput& InputBranch::open_here(Loop& loop, const PeSet& readers) {
  here_ = std::make_unique<FedInput>(loop, readers, [this] { follow(); });
  return *here_;
}

void InputBranch::set_readers(const std::vector<RemoteHost*>& hosts, const PeSet& readers) {
  for (RemoteHost* host : hosts) {
    if (!host->has_any_of(readers)) continue;
    below_.push_back(host);
    host->take_input([this] { follow(); });
  }
}

void InputBranch::put(std::string_view bytes) {
  put_ = true;
  for (RemoteHost* host : below_)
    if (host->wants_input()) host->send_input(bytes);
  if (here_) here_->put(bytes);
  follow();
}

bool InputBranch::is_wanted() const {
  return (here_ && here_->is_wanted()) ||
         std::any_of(below_.begin(), below_.end(),
                     [](const RemoteHost* host) { return host->wants_input(); });
}

bool InputBranch::is_pending() const {
  return (here_ && here_->is_pending()) ||
         std::any_of(below_.begin(), below_.end(),
                     [](const RemoteHost* host) { return host->input_pending(); });
}

void InputBranch::follow() {
  if (put_ && !is_pending()) {
    put_ = false;
    follower_.on_taken();
  }
  if (!unwanted_ && !is_wanted()) {
    unwanted_ = true;
    follower_.on_unwanted();
  }
}

}  // namespace atrium
