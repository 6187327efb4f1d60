// The buffers that an engine over TCP receives messages into.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <vector>

#include "engine/tcp/outbox.hpp"

namespace atrium {

class TcpReceiveBuffers {
 public:
  // Of messages of at most `largest` bytes.
  TcpReceiveBuffers(size_t largest, TcpEvents& events) : largest_(largest), events_(events) {}

  void post(void* buffer, size_t bytes, void* token);

  // Room for a message that comes. Then it is received, or given up when its sender is gone.
  struct Room {
    char* at = nullptr;  // null: no buffer has room now
    size_t buffer = 0;
  };
  Room reserve(size_t bytes);
  void received(const Room& room, size_t bytes);
  void give_up(const Room& room);

 private:
  struct Buffer {
    char* begin = nullptr;
    size_t bytes = 0, used = 0;
    void* token = nullptr;
    int awaited = 0;         // messages that have room and are not complete
    bool is_posted = false;  // and not reported as used
  };
  bool takes_more(const Buffer& buffer) const;
  void report_used(Buffer& buffer);

  size_t largest_;
  TcpEvents& events_;
  std::vector<Buffer> buffers_;
  size_t current_ = 0;
};

}  // namespace atrium
