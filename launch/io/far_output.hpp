// Where output goes that PEs on other hosts have written: to the user, or further up the tree of agents.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

namespace atrium {

class FarOutput {
 public:
  // A PE whose output is brought here in pieces.
  virtual void add_distant(int pe, const std::string& host) = 0;
  virtual void take(int pe, bool is_error, std::string_view bytes) = 0;
  // Words of an oshrun's, on standard error.
  virtual void say(const std::string& text) = 0;
  // So much waits for its reader that nothing more should be brought.
  virtual bool backlogged() const = 0;
  virtual bool reader_gone(bool of_errors) const = 0;

 protected:
  ~FarOutput() = default;
};

}  // namespace atrium
