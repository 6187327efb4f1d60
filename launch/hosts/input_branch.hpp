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
  struct Follower {
    std::function<void()> on_taken;     // all readers have what was put last
    std::function<void()> on_unwanted;  // no reader is left
  };
  explicit InputBranch(Follower follower) : follower_(std::move(follower)) {}

  // For the PEs of this host, whose input it is.
  PeInput& open_here(Loop& loop, const PeSet& readers);
  // Those of the hosts below that have PEs which read it.
  void set_readers(const std::vector<RemoteHost*>& hosts, const PeSet& readers);
  // Nothing: the end.
  void put(std::string_view bytes);
  // A reader is left, and all have what was put last.
  bool wants_more() const { return !put_ && is_wanted(); }

 private:
  bool is_wanted() const;
  bool is_pending() const;
  void follow();

  Follower follower_;
  std::unique_ptr<FedInput> here_;
  std::vector<RemoteHost*> below_;
  bool put_ = false;  // something, and has not said that it is taken
  bool unwanted_ = false;
};

}  // namespace atrium
