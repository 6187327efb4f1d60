// Engines over the kernel's TCP as the contract drives them, and connections of nobody's beside theirs.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>

#include "engine/tcp/handshake.hpp"
#include "engine/tcp/tcp_engine.hpp"
#include "engine_contract.hpp"
#include "os/tcp_link.hpp"

namespace atrium {

inline constexpr uint64_t tcp_key = 0x1234567890abcdefULL;

inline std::string header(TcpFrameKind kind, size_t bytes, uint64_t of = 0, uint64_t place = 0) {
  const TcpFrame frame{kind, static_cast<uint32_t>(bytes), of, place};
  return {reinterpret_cast<const char*>(&frame), sizeof frame};
}

// The driver of the contract, with engines of this one kind.
class KernelTcpTest : public EngineContract {
 protected:
  // A connection of nobody's, to an engine.
  TcpSocket stranger_at(size_t whom) {
    TcpSocket socket = connect_to(unpack_tcp_name(names[whom])->address);
    EXPECT_TRUE(socket.is_open());
    return socket;
  }
  void say_to(const TcpSocket& socket, const std::string& text) {
    for (size_t said = 0; said < text.size();) {
      turn();
      const ssize_t sent = ::send(socket.get(), text.data() + said, text.size() - said, MSG_NOSIGNAL);
      if (sent > 0) said += static_cast<size_t>(sent);
      ASSERT_TRUE(sent > 0 || errno == EAGAIN || errno == ENOTCONN || errno == EPIPE || errno == ECONNRESET)
          << std::strerror(errno);
      if (sent < 0 && (errno == EPIPE || errno == ECONNRESET)) return;
    }
  }
  // What the engine has said to it, if anything, until it closes or has answered.
  std::string heard_by(const TcpSocket& socket, size_t bytes) {
    std::string heard;
    for (int looks = 0; looks < 100'000 && heard.size() < bytes; ++looks) {
      turn();
      char text[256];
      const ssize_t got =
          ::recv(socket.get(), text, std::min(sizeof text, bytes - heard.size()), MSG_DONTWAIT);
      if (got == 0 || (got < 0 && errno != EAGAIN)) break;
      if (got > 0) heard.append(text, static_cast<size_t>(got));
    }
    return heard;
  }
  TcpFrameKind answer_to(const TcpSocket& socket) {
    const std::string heard = heard_by(socket, sizeof(TcpFrame));
    TcpFrame frame;
    if (heard.size() == sizeof frame) std::memcpy(&frame, heard.data(), sizeof frame);
    return frame.kind;
  }
  std::string hello(const std::string& mine, size_t whom) {
    return header(TcpFrameKind::hello, mine.size(), unpack_tcp_name(names[whom])->token) + mine;
  }
  // Still works: a message each way.
  void expect_to_work() {
    for (auto& messages : received) messages.clear();
    send(0, 1, "there");
    send(1, 0, "back");
    until([&] { return received[0].size() == 1 && received[1].size() == 1; });
  }
};

inline const EngineOfContract kernel_tcp_of_contract{"kernel_tcp", tcp_net};

}  // namespace atrium
