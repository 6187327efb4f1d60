// Divides receive buffers among messages, each behind the one before it.
// SPDX-License-Identifier: BSD-3-Clause
#include "engine/tcp/receive_buffers.hpp"

#include <algorithm>

namespace atrium {
namespace {

constexpr size_t alignment = 16;  // of a message

}  // namespace

void TcpReceiveBuffers::post(void* buffer, size_t bytes, void* token) {
  const Buffer complete_at_once{static_cast<char*>(buffer), bytes, 0, token, 0, true};
  const auto free =
      std::find_if(buffers_.begin(), buffers_.end(), [](const Buffer& each) { return !each.is_posted; });
  if (free == buffers_.end())
    buffers_.push_back(complete_at_once);
  else
    *free = complete_at_once;
}

bool TcpReceiveBuffers::has_space(const Buffer& buffer) const {
  return buffer.is_posted && buffer.bytes - buffer.used >= largest_;
}

TcpReceiveBuffers::Reservation TcpReceiveBuffers::reserve(size_t bytes) {
  for (size_t tried = 0; tried < buffers_.size(); ++tried) {
    Buffer& buffer = buffers_[current_];
    if (has_space(buffer)) {
      const Reservation reservation{buffer.begin + buffer.used, current_};
      buffer.used = std::min(buffer.bytes, buffer.used + (bytes + alignment - 1) / alignment * alignment);
      ++buffer.reserved;
      return reservation;
    }
    current_ = (current_ + 1) % buffers_.size();
  }
  return {};
}

void TcpReceiveBuffers::report_used(Buffer& buffer) {
  if (--buffer.reserved != 0 || has_space(buffer)) return;
  buffer.is_posted = false;
  events_.push_back({EngineEvent::Kind::buffer_used, buffer.token, nullptr, 0});
}

void TcpReceiveBuffers::received(const Reservation& reservation, size_t bytes) {
  Buffer& buffer = buffers_[reservation.buffer];
  events_.push_back({EngineEvent::Kind::received, buffer.token, reservation.at, bytes});
  report_used(buffer);
}

void TcpReceiveBuffers::release(const Reservation& reservation) { report_used(buffers_[reservation.buffer]); }

}  // namespace atrium
