// Standard input of this oshrun for PEs on other hosts, at the pace of the slowest.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "launch/hosts/remote_host.hpp"
#include "launch/io/loop.hpp"

namespace atrium {

class InputSender final : public Watcher {
 public:
  // `readers`: hosts with PEs that read it.
  InputSender(Loop& loop, std::vector<RemoteHost*> readers);

  void on_ready() override { read_some(); }
  // Decides what to wait for next.
  void pump();

 private:
  void listen(bool wanted);
  void read_some();
  bool wanted() const;
  bool pending() const;

  Loop& loop_;
  std::vector<RemoteHost*> readers_;
  bool listening_ = false;
  bool always_ready_ = false;  // a regular file
  bool ended_ = false;
};

}  // namespace atrium
