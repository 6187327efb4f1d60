// Frames on their way into one connection, in the order in which they were posted.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

#include "engine/engine.hpp"
#include "engine/tcp/frame.hpp"
#include "wire/queue.hpp"

namespace atrium {

using TcpEvents = Queue<EngineEvent>;

// `data` is the poster's until all of the frame is in the socket; then the poster hears of it, if `tells`.
struct TcpPost {
  TcpFrame frame;
  const char* data = nullptr;
  bool tells = false;
  EngineEvent::Kind kind = EngineEvent::Kind::sent;
  void* token = nullptr;
  size_t written = 0;  // bytes, of header and data

  size_t bytes() const { return sizeof frame + (data ? frame.bytes : 0); }
};

class TcpOutbox {
 public:
  bool is_empty() const { return posts_.empty(); }
  size_t size() const { return posts_.size(); }
  void add(const TcpPost& post) { posts_.push_back(post); }
  // As much as the socket takes now. False: it is broken, as errno says.
  bool write_to(int socket, TcpEvents& events);
  // Those of which somebody would hear have failed.
  void fail(TcpEvents& events);

 private:
  void count(size_t written, TcpEvents& events);

  Queue<TcpPost> posts_;
};

}  // namespace atrium
