// The receive buffers of an engine over TCP.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <vector>

#include "engine/tcp/send_queue.hpp"

namespace atrium {

class TcpReceiveBuffers {
 public:
  // `largest`: bytes of the largest message.
  TcpReceiveBuffers(size_t largest, TcpEvents& events) : largest_(largest), events_(events) {}

  void post(void* buffer, size_t bytes, void* token);

  // Space for a message that is coming. It ends by received(), or by release() when its sender is gone.
  struct Reservation {
    char* at = nullptr;  // null: no buffer has space now
    size_t buffer = 0;
  };
  Reservation reserve(size_t bytes);
  void received(const Reservation& reservation, size_t bytes);
  void release(const Reservation& reservation);

 private:
  struct Buffer {
    char* begin = nullptr;
    size_t bytes = 0, used = 0;
    void* token = nullptr;
    int reserved = 0;        // messages that have space and are not complete
    bool is_posted = false;  // and not reported as used
  };
  bool has_space(const Buffer& buffer) const;
  void report_used(Buffer& buffer);

  size_t largest_;
  TcpEvents& events_;
  std::vector<Buffer> buffers_;
  size_t current_ = 0;
};

}  // namespace atrium
