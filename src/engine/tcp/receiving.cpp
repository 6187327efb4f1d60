// Receives frames: data goes from the socket to where it belongs.
// SPDX-License-Identifier: BSD-3-Clause
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "engine/tcp/kernel_tcp.hpp"
#include "engine/tcp/limits.hpp"

namespace atrium {

using Verdict = TcpLanding::Verdict;

namespace {

ssize_t read_into(const TcpSocket& socket, std::span<char> direct, std::span<char> staging) {
  if (direct.empty()) return ::recv(socket.get(), staging.data(), staging.size(), MSG_DONTWAIT);
  iovec pieces[] = {{direct.data(), direct.size()}, {staging.data(), staging.size()}};
  msghdr message{};
  message.msg_iov = pieces;
  message.msg_iovlen = 2;
  return ::recvmsg(socket.get(), &message, MSG_DONTWAIT);
}

}  // namespace

TcpLanding KernelTcp::begins(TcpPeer& peer, const TcpFrame& frame) {
  if (peer.state != State::greeting && peer.state != State::open) return {Verdict::nonsense};
  const bool is_answer = frame.kind == TcpFrameKind::welcome || frame.kind == TcpFrameKind::crossed;
  if (is_answer != (peer.state == State::greeting)) return {Verdict::nonsense};
  switch (frame.kind) {
    case TcpFrameKind::message:
      return frame.bytes > traits_.largest_message ? TcpLanding{Verdict::skip} : room_for(peer, frame);
    case TcpFrameKind::write:
      return region_.holds(frame) ? TcpLanding{Verdict::take, region_.start + frame.place}
                                  : TcpLanding{Verdict::skip};
    case TcpFrameKind::data:
      if (peer.reads.empty() || peer.reads.front().bytes != frame.bytes) return {Verdict::nonsense};
      return {Verdict::take, peer.reads.front().dest};
    case TcpFrameKind::refusal:
      if (peer.reads.empty()) return {Verdict::nonsense};
      [[fallthrough]];
    case TcpFrameKind::welcome:
    case TcpFrameKind::crossed:
      return {frame.bytes == 0 ? Verdict::skip : Verdict::nonsense};
    case TcpFrameKind::read:
      return {Verdict::skip};
    default:
      return {Verdict::nonsense};
  }
}

TcpLanding KernelTcp::room_for(TcpPeer& peer, const TcpFrame& frame) {
  peer.room = buffers_.reserve(frame.bytes);
  if (peer.room.at) return {Verdict::take, peer.room.at};
  waiting_.push_back(&peer);
  return {Verdict::wait};
}

// What has no place here, a message that is too long or a write beside the region, is as good as lost.
void KernelTcp::is_there(TcpPeer& peer, const TcpFrame& frame) {
  switch (frame.kind) {
    case TcpFrameKind::welcome:
      return is_open(peer);
    case TcpFrameKind::crossed:
      peer.state = State::awaited;
      return;
    case TcpFrameKind::message:
      if (!peer.room.at) return report(EngineEvent::Kind::lost);
      return buffers_.received(std::exchange(peer.room, {}), frame.bytes);
    case TcpFrameKind::write:
      if (!region_.holds(frame)) report(EngineEvent::Kind::lost);
      return;
    case TcpFrameKind::read:
      return answer_read(peer, frame);
    default:
      return read_is_over(peer, frame.kind == TcpFrameKind::refusal);
  }
}

void KernelTcp::answer_read(TcpPeer& peer, const TcpFrame& frame) {
  if (region_.holds(frame) && frame.bytes <= largest_part)
    peer.outbox.add({{TcpFrameKind::data, frame.bytes, 0, 0}, region_.start + frame.place});
  else
    peer.outbox.add({{TcpFrameKind::refusal, 0, 0, 0}});
}

void KernelTcp::read_is_over(TcpPeer& peer, bool is_refused) {
  if (is_refused) error_ = failure("the other side has no such memory");
  report(is_refused ? EngineEvent::Kind::failed : EngineEvent::Kind::read, peer.reads.front().token);
  peer.reads.pop_front();
}

void KernelTcp::took(TcpPeer& peer, bool makes_sense) {
  if (peer.state == State::broken) return;
  if (!makes_sense) return broke(peer, EPROTO);
  if (peer.state == State::awaited) return close(peer);
  if (peer.state == State::open && !peer.outbox.is_empty()) return write_out(peer);
  watch_for(peer);
}

void KernelTcp::retry(TcpPeer& peer) {
  if (!peer.socket.is_open()) return;
  Incoming incoming(*this, peer);
  took(peer, peer.inbox.retry(incoming));
}

// Reads once. Whether something came.
bool KernelTcp::receive(TcpPeer& peer) {
  if (peer.state != State::greeting && peer.state != State::open) return false;
  if (peer.inbox.waits()) return false;
  const std::span<char> direct = peer.inbox.direct();
  const size_t kept = peer.inbox.kept().copy(staging_.get(), tcp_staging_bytes);
  const ssize_t got = read_into(peer.socket, direct, {staging_.get() + kept, tcp_staging_bytes - kept});
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return false;
  if (got <= 0) return broke(peer, got == 0 ? 0 : errno), true;
  const size_t there = std::min(static_cast<size_t>(got), direct.size());
  Incoming incoming(*this, peer);
  peer.inbox.came_directly(there, incoming);
  took(peer, peer.inbox.take(staging_.get(), kept + static_cast<size_t>(got) - there, incoming));
  last_ = &peer;
  return true;
}

}  // namespace atrium
