// What is recorded of a job: the memory for it, and what is said and written when the job has ended.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "launch/cli/options.hpp"
#include "profile/buffer/record_buffer.hpp"
#include "profile/report/top.hpp"
#include "profile/trace/trace.hpp"

namespace atrium {

class Recording {
 public:
  // Nothing is recorded unless the user has asked for it. `node_of` each PE.
  static Result<Recording> create(const Options& options, std::vector<int> node_of);

  // That all PEs inherit; -1: none.
  int fd() const { return fd_; }

  struct Outcome {
    std::string text;
    bool failed = false;  // a file could not be written

    void write(const std::string& path, const std::string& contents);
    void write_trace(const profile::TraceRequest& request, const profile::RecordBuffer& buffer,
                     const profile::Scale& scale, profile::Places& places);
  };
  // Writes the files, and returns what oshrun has to print. Requires: no PE runs.
  Outcome finish(const Options& options) const;
  // The PE is gone; `how` is for people. The first time counts: a script may outlive its program.
  void note_end(int pe, const std::string& how);
  // What every PE does now, a line each (--top).
  std::string look(const profile::Screen& screen);

 private:
  int fd_ = -1;
  std::vector<int> node_of_;
  profile::RecordBuffer buffer_;
  std::unique_ptr<profile::Top> top_;
};

}  // namespace atrium
