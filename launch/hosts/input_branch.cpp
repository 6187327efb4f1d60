// Acknowledges each piece when all readers have taken it.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/hosts/input_branch.hpp"

#include <algorithm>

namespace atrium {

PeInput& InputBranch::open_here(Loop& loop, const PeSet& readers) {
  here_wanted_ = true;
  here_ = std::make_unique<FedInput>(loop, readers,
                                     FedInput::Follower{[this] {
                                                          here_pending_ = false;
                                                          follow();
                                                        },
                                                        [this] {
                                                          here_wanted_ = here_pending_ = false;
                                                          follow();
                                                        }});
  return *here_;
}

void InputBranch::set_readers(std::vector<RemoteHost*> readers) {
  below_ = std::move(readers);
  for (RemoteHost* host : below_) host->take_input([this] { follow(); });
}

void InputBranch::put(std::string_view bytes) {
  put_ = true;
  for (RemoteHost* host : below_)
    if (host->wants_input()) host->send_input(bytes);
  if (here_wanted_) {
    here_pending_ = true;
    here_->put(bytes);
  }
  follow();
}

bool InputBranch::is_wanted() const {
  return here_wanted_ || std::any_of(below_.begin(), below_.end(),
                                     [](const RemoteHost* host) { return host->wants_input(); });
}

void InputBranch::follow() {
  const auto waits = [](const RemoteHost* host) { return host->input_pending(); };
  if (put_ && !here_pending_ && std::none_of(below_.begin(), below_.end(), waits)) {
    put_ = false;
    follower_.on_taken();
  }
  if (!unwanted_ && !is_wanted()) {
    unwanted_ = true;
    follower_.on_unwanted();
  }
}

}  // namespace atrium
