// Which command each PE runs: the program, or the program under a debugger or another tool.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "launch/cli/options.hpp"
#include "launch/process/program.hpp"

namespace atrium {

struct PeCommand {
  std::string path;
  std::vector<std::string> words;
  bool owns_terminal = false;  // its streams are oshrun's own and it stays in oshrun's process group
};

class Commands {
 public:
  Commands(const Options& options, std::string program_path);

  // Fails when a tool is not installed.
  std::optional<Refusal> check() const;
  PeCommand of(int pe) const;

 private:
  bool wraps_pe(const Wrap& wrap, int pe) const;
  void wrap_gdb(PeCommand& command, int pe) const;

  const Options& options_;
  std::string program_path_;
  int terminal_pe_ = -1;  // the PE whose debugger gets the terminal
};

}  // namespace atrium
