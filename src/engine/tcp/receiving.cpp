// Receives frames; data goes from the socket directly to its destination.
// SPDX-License-Identifier: BSD-3-Clause
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "engine/tcp/kernel_tcp.hpp"
#include "engine/tcp/limits.hpp"

namespace atrium {

using Verdict = TcpDestination::Verdict;

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

TcpDestination KernelTcp::begin_frame(TcpPeer& peer, const TcpFrame& frame) {
  if (peer.state != State::hello_sent && peer.state != State::open) return {Verdict::nonsense};
  const bool is_answer = frame.kind == TcpFrameKind::welcome || frame.kind == TcpFrameKind::crossed;
  if (is_answer != (peer.state == State::hello_sent)) return {Verdict::nonsense};
  switch (frame.kind) {
    case TcpFrameKind::message:
      return frame.bytes > traits_.largest_message ? TcpDestination{Verdict::skip} : reserve_for(peer, frame);
    case TcpFrameKind::write:
      return region_.holds(frame) ? TcpDestination{Verdict::take, region_.start + frame.place}
                                  : TcpDestination{Verdict::skip};
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

TcpDestination KernelTcp::reserve_for(TcpPeer& peer, const TcpFrame& frame) {
  peer.reservation = buffers_.reserve(frame.bytes);
  if (peer.reservation.at) return {Verdict::take, peer.reservation.at};
  waiting_.push_back(&peer);
  return {Verdict::wait};
}

// A message that is too long, and a write outside of the region, are reported as lost.
void KernelTcp::end_frame(TcpPeer& peer, const TcpFrame& frame) {
  switch (frame.kind) {
    case TcpFrameKind::welcome:
      return opened(peer);
    case TcpFrameKind::crossed:
      peer.state = State::yielded;
      return;
    case TcpFrameKind::message:
      if (!peer.reservation.at) return report(EngineEvent::Kind::lost);
      return buffers_.received(std::exchange(peer.reservation, {}), frame.bytes);
    case TcpFrameKind::write:
      if (!region_.holds(frame)) report(EngineEvent::Kind::lost);
      return;
    case TcpFrameKind::read:
      return answer_read(peer, frame);
    default:
      return finish_read(peer, frame.kind == TcpFrameKind::refusal);
  }
}

void KernelTcp::answer_read(TcpPeer& peer, const TcpFrame& frame) {
  if (region_.holds(frame) && frame.bytes <= largest_part)
    peer.sends.add({{TcpFrameKind::data, frame.bytes, 0, 0}, region_.start + frame.place});
  else
    peer.sends.add({{TcpFrameKind::refusal, 0, 0, 0}});
}

void KernelTcp::finish_read(TcpPeer& peer, bool is_refused) {
  if (is_refused) error_ = failure("the other side has no such memory");
  report(is_refused ? EngineEvent::Kind::failed : EngineEvent::Kind::read, peer.reads.front().token);
  peer.reads.pop_front();
}

void KernelTcp::after_input(TcpPeer& peer, bool makes_sense) {
  if (peer.state == State::failed) return;
  if (!makes_sense) return fail(peer, EPROTO);
  if (peer.state == State::yielded) return close(peer);
  if (peer.state == State::open && !peer.sends.is_empty()) return write_out(peer);
  update_interest(peer);
}

void KernelTcp::resume(TcpPeer& peer) {
  if (!peer.socket.is_open()) return;
  Incoming incoming(*this, peer);
  after_input(peer, peer.reader.resume(incoming));
}

// Reads once. True: something came.
bool KernelTcp::receive(TcpPeer& peer) {
  if (peer.state != State::hello_sent && peer.state != State::open) return false;
  if (peer.reader.is_paused()) return false;
  const std::span<char> direct = peer.reader.direct();
  const size_t kept = peer.reader.kept().copy(staging_.get(), tcp_staging_bytes);
  const ssize_t got = read_into(peer.socket, direct, {staging_.get() + kept, tcp_staging_bytes - kept});
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return false;
  if (got <= 0) return fail(peer, got == 0 ? 0 : errno), true;
  const size_t there = std::min(static_cast<size_t>(got), direct.size());
  Incoming incoming(*this, peer);
  peer.reader.received_directly(there, incoming);
  after_input(peer, peer.reader.take(staging_.get(), kept + static_cast<size_t>(got) - there, incoming));
  last_ = &peer;
  return true;
}

}  // namespace atrium
