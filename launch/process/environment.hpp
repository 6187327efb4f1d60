// The environment of the PEs: oshrun's own, what -x sets, and where the job's memory is.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "launch/cli/options.hpp"

namespace atrium {

// No other job of this machine has it, whether it runs or has ended.
std::string make_job_id();

class Environment {
 public:
  // `record_fd`: the descriptor of what is recorded, or -1.
  Environment(const Options& options, const std::string& job_id, int record_fd = -1);

  // For execve; valid until the next call. `bell`: -1 for who has none.
  char** of(int pe, int job_fd, int bell, bool forwarded_by_lines);

 private:
  void set(const std::string& name, const std::string& value);
  void unset(const std::string& name);
  void preload(const std::string& library);

  std::vector<std::string> entries_;
  std::vector<char*> pointers_;
};

}  // namespace atrium
