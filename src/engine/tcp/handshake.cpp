// The frames of the handshake, and the rule by which one of two connections is used.
// SPDX-License-Identifier: BSD-3-Clause
#include "engine/tcp/handshake.hpp"

#include <sys/socket.h>

#include <cstring>

namespace atrium {
namespace {

std::string text_of(const TcpFrame& frame) { return {reinterpret_cast<const char*>(&frame), sizeof frame}; }

}  // namespace

std::string hello_to(const TcpName& me, const TcpName& peer) {
  const std::string mine = pack(me);
  return text_of(TcpFrame{TcpFrameKind::hello, static_cast<uint32_t>(mine.size()), peer.token, 0}) + mine;
}

size_t missing_of_hello(std::string_view received) {
  TcpFrame frame;
  if (received.size() < sizeof frame) return sizeof frame - received.size();
  std::memcpy(&frame, received.data(), sizeof frame);
  return sizeof frame + frame.bytes - received.size();
}

ParsedHello parse_hello(std::string_view received) {
  ParsedHello hello;
  TcpFrame frame;
  if (received.size() < sizeof frame) return hello;
  std::memcpy(&frame, received.data(), sizeof frame);
  if (frame.kind != TcpFrameKind::hello || frame.bytes > longest_tcp_name)
    hello.verdict = ParsedHello::Verdict::nonsense;
  else if (received.size() == sizeof frame + frame.bytes)
    hello = {ParsedHello::Verdict::complete, std::string(received.substr(sizeof frame)), frame.key};
  return hello;
}

bool accepts_connection_of(const TcpPeer& peer, std::string_view mine) {
  switch (peer.state) {
    case TcpPeer::State::unconnected:
    case TcpPeer::State::unreachable:
    case TcpPeer::State::connecting:  // my attempt may fail, and the peer does not know of it
    case TcpPeer::State::yielded:
      return true;
    case TcpPeer::State::hello_sent:
      return peer.name < mine;
    default:
      return false;
  }
}

bool send_short(const TcpSocket& socket, std::string_view text) {
  return ::send(socket.get(), text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT) ==
         static_cast<ssize_t>(text.size());
}

bool send_answer(const TcpSocket& socket, TcpFrameKind kind) {
  return send_short(socket, text_of(TcpFrame{kind, 0, 0, 0}));
}

}  // namespace atrium
