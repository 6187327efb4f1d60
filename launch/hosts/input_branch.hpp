// Standard input on its way down the tree: for the PEs of this host, and for the hosts below it.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "launch/hosts/remote_host.hpp"
#include "launch/io/fed_input.hpp"

namespace atrium {

class InputBranch {
 public:
  // All readers have what was put last; no reader is left.
  explicit InputBranch(FedInput::Follower follower) : follower_(std::move(follower)) {}

  // For the PEs of this host, whose input it is.
  PeInput& open_here(Loop& loop, const PeSet& readers);
  // `readers`: hosts below with PEs that read it.
  void set_readers(std::vector<RemoteHost*> readers);
  // Nothing: the end.
  void put(std::string_view bytes);
  // A reader is left, and all have what was put last.
  bool wants_more() const { return !put_ && is_wanted(); }

 private:
  bool is_wanted() const;
  void follow();

  FedInput::Follower follower_;
  std::unique_ptr<FedInput> here_;
  std::vector<RemoteHost*> below_;
  bool here_wanted_ = false, here_pending_ = false;
  bool put_ = false;  // something, and has not said that it is taken
  bool unwanted_ = false;
};

}  // namespace atrium
