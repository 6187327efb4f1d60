// Splits a stream of bytes into frames. The stream may come in pieces of any size.
// SPDX-License-Identifier: BSD-3-Clause
//
// The sink says where the data of a frame goes. What is still missing of it can be received there without a copy.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "engine/tcp/frame.hpp"

namespace atrium {

// Where the data of a frame goes.
struct TcpDestination {
  enum class Verdict {
    take,     // to `at`
    skip,     // nowhere
    wait,     // the sink cannot take it now: resume() asks again
    nonsense  // such a frame must not come: the connection is given up
  };
  Verdict verdict = Verdict::take;
  char* at = nullptr;
};

class TcpFrameSink {
 public:
  virtual TcpDestination begin_frame(const TcpFrame& frame) = 0;
  virtual void end_frame(const TcpFrame& frame) = 0;  // all of its data is there

 protected:
  ~TcpFrameSink() = default;
};

class TcpFrameReader {
 public:
  // Where the next bytes of the stream belong; empty if they must be passed to take().
  std::span<char> direct() const;
  void received_directly(size_t bytes, TcpFrameSink& sink);
  // Bytes that take() has not used: part of a header, or more while is_paused(). The next call of take() must begin with them.
  const std::string& kept() const { return kept_; }
  bool is_within_a_frame() const { return missing_ != 0 || !kept_.empty(); }
  // The next bytes, with those kept in front. False: nonsense.
  bool take(const char* data, size_t bytes, TcpFrameSink& sink);
  // The sink takes no frame now: receive nothing until resume().
  bool is_paused() const { return is_paused_; }
  bool resume(TcpFrameSink& sink);

 private:
  size_t take_data(const char* data, size_t bytes, TcpFrameSink& sink);
  TcpDestination::Verdict begin(const char* header, TcpFrameSink& sink);
  void end_if_complete(TcpFrameSink& sink);

  TcpFrame frame_;
  TcpDestination destination_;
  size_t missing_ = 0;  // bytes of the frame's data that have not come
  std::string kept_;
  bool is_paused_ = false;
};

}  // namespace atrium
