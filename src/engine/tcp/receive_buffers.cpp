// Divides receive buffers among messages, each behind the one before it.
// SPDX-License-Identifier: BSD-3-Clause
#include "engine/tcp/receive_buffers.hpp"

#include <algorithm>

namespace atrium {
namespace {

constexpr size_t alignment = 16;  // of a message

}  // namespace

void TcpReceiveBuffers::post(void* buffer, size_t bytes, void* token) {
  const Buffer posted{static_cast<char*>(buffer), bytes, 0, token, 0, true};
  const auto free =
      std::find_if(buffers_.begin(), buffers_.end(), [](const Buffer& each) { return !each.is_posted; });
  if (free == buffers_.end())
    buffers_.push_back(posted);
  else
    *free = posted;
}

bool TcpReceiveBuffers::takes_more(const Buffer& buffer) const {
  return buffer.is_posted && buffer.bytes - buffer.used >= largest_;
}

TcpReceiveBuffers::Room TcpReceiveBuffers::reserve(size_t bytes) {
  for (size_t tried = 0; tried < buffers_.size(); ++tried) {
    Buffer& buffer = buffers_[current_];
    if (takes_more(buffer)) {
      const Room room{buffer.begin + buffer.used, current_};
      buffer.used = std::min(buffer.bytes, buffer.used + (bytes + alignment - 1) / alignment * alignment);
      ++buffer.awaited;
      return room;
    }
    current_ = (current_ + 1) % buffers_.size();
  }
  return {};
}

void TcpReceiveBuffers::report_used(Buffer& buffer) {
  if (--buffer.awaited != 0 || takes_more(buffer)) return;
  buffer.is_posted = false;
  events_.push_back({EngineEvent::Kind::buffer_used, buffer.token, nullptr, 0});
}

void TcpReceiveBuffers::received(const Room& room, size_t bytes) {
  Buffer& buffer = buffers_[room.buffer];
  events_.push_back({EngineEvent::Kind::received, buffer.token, room.at, bytes});
  report_used(buffer);
}

void TcpReceiveBuffers::give_up(const Room& room) { report_used(buffers_[room.buffer]); }

}  // namespace atrium
