// Frames that wait for one connection, in the order in which they were posted.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

#include "engine/engine.hpp"
#include "engine/tcp/frame.hpp"
#include "wire/queue.hpp"

namespace atrium {

using TcpEvents = Queue<EngineEvent>;

// `data` must stay until the kernel has all of the frame. Then an event reports it, if `wants_event`.
struct TcpPost {
  TcpFrame frame;
  const char* data = nullptr;
  bool wants_event = false;
  EngineEvent::Kind kind = EngineEvent::Kind::sent;
  void* token = nullptr;
  size_t written = 0;  // bytes of header and data

  size_t bytes() const { return sizeof frame + (data ? frame.bytes : 0); }
};

class TcpSendQueue {
 public:
  bool is_empty() const { return posts_.empty(); }
  size_t size() const { return posts_.size(); }
  void add(const TcpPost& post) { posts_.push_back(post); }
  // As much as the socket takes now. False: an error, in errno.
  bool write_to(int socket, TcpEvents& events);
  // Empties the queue; posts that want an event are reported as failed.
  void fail(TcpEvents& events);

 private:
  void count(size_t written, TcpEvents& events);

  Queue<TcpPost> posts_;
};

}  // namespace atrium
