// Hello and its answers.
// SPDX-License-Identifier: BSD-3-Clause
#include "engine/tcp/meeting.hpp"

#include <sys/socket.h>

#include <cstring>

namespace atrium {
namespace {

std::string text_of(const TcpFrame& frame) { return {reinterpret_cast<const char*>(&frame), sizeof frame}; }

}  // namespace

std::string hello_of(const TcpName& me, const TcpName& whom) {
  const std::string mine = pack(me);
  return text_of(TcpFrame{TcpFrameKind::hello, static_cast<uint32_t>(mine.size()), whom.token, 0}) + mine;
}

size_t most_of_hello(std::string_view said) {
  TcpFrame frame;
  if (said.size() < sizeof frame) return sizeof frame - said.size();
  std::memcpy(&frame, said.data(), sizeof frame);
  return sizeof frame + frame.bytes - said.size();
}

HeardHello hear_hello(std::string_view said) {
  HeardHello heard;
  TcpFrame frame;
  if (said.size() < sizeof frame) return heard;
  std::memcpy(&frame, said.data(), sizeof frame);
  if (frame.kind != TcpFrameKind::hello || frame.bytes > longest_tcp_name)
    heard.verdict = HeardHello::Verdict::nonsense;
  else if (said.size() == sizeof frame + frame.bytes)
    heard = {HeardHello::Verdict::complete, std::string(said.substr(sizeof frame)), frame.key};
  return heard;
}

bool takes_connection_of(const TcpPeer& peer, std::string_view mine) {
  switch (peer.state) {
    case TcpPeer::State::unmet:
    case TcpPeer::State::unreached:
    case TcpPeer::State::connecting:  // it may come to nothing, and the peer knows nothing of it
    case TcpPeer::State::awaited:
      return true;
    case TcpPeer::State::greeting:
      return peer.name < mine;
    default:
      return false;
  }
}

bool say(const TcpSocket& socket, std::string_view text) {
  return ::send(socket.get(), text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT) ==
         static_cast<ssize_t>(text.size());
}

bool answer(const TcpSocket& socket, TcpFrameKind kind) {
  return say(socket, text_of(TcpFrame{kind, 0, 0, 0}));
}

}  // namespace atrium
