// Takes a stream of bytes apart into frames, whatever the pieces in which it comes.
// SPDX-License-Identifier: BSD-3-Clause
//
// What follows a header goes to the place that the owner names. What is still to come of it can be received there directly.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "engine/tcp/frame.hpp"

namespace atrium {

// Where the bytes behind a header go.
struct TcpLanding {
  enum class Verdict {
    take,     // to `at`
    skip,     // nowhere
    wait,     // not now: ask again
    nonsense  // no such frame is expected: nothing more is taken
  };
  Verdict verdict = Verdict::take;
  char* at = nullptr;
};

class TcpInboxOwner {
 public:
  virtual TcpLanding begins(const TcpFrame& frame) = 0;
  virtual void is_there(const TcpFrame& frame) = 0;  // all of it

 protected:
  ~TcpInboxOwner() = default;
};

class TcpInbox {
 public:
  // What comes next goes here, if this is not empty.
  std::span<char> direct() const;
  void came_directly(size_t bytes, TcpInboxOwner& owner);
  // Bytes that came before, and stand in front of those that come next: less than a header, or more while it waits().
  const std::string& kept() const { return kept_; }
  bool is_within_a_frame() const { return rest_ != 0 || !kept_.empty(); }
  // What came next, after those kept. False: nonsense.
  bool take(const char* data, size_t bytes, TcpInboxOwner& owner);
  // The owner wants no frame now: nothing is to be received until retry().
  bool waits() const { return waits_; }
  bool retry(TcpInboxOwner& owner);

 private:
  size_t take_rest(const char* data, size_t bytes, TcpInboxOwner& owner);
  TcpLanding::Verdict begin(const char* header, TcpInboxOwner& owner);
  void end_if_complete(TcpInboxOwner& owner);

  TcpFrame frame_;
  TcpLanding landing_;
  size_t rest_ = 0;  // bytes of the frame that are still to come
  std::string kept_;
  bool waits_ = false;
};

}  // namespace atrium
