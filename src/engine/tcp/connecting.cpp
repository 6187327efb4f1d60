// The connections of an engine to its peers, from the first attempt to the end.
// SPDX-License-Identifier: BSD-3-Clause
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "engine/tcp/kernel_tcp.hpp"
#include "engine/tcp/meeting.hpp"
#include "os/clock.hpp"

namespace atrium {
namespace {

constexpr uint64_t between_tries_ns = 100'000'000;  // to reach a host that cannot be reached

std::string address_of(const TcpPeer& peer) { return unpack_tcp_name(peer.name)->address; }

// What this host lacks, not what the network does.
bool is_shortage(int error) {
  return error == EMFILE || error == ENFILE || error == ENOMEM || error == ENOBUFS || error == ENOSPC;
}

void send_at_once(const TcpSocket& socket) {
  const int on = 1;
  ::setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

}  // namespace

TcpPeer& KernelTcp::peer_named(const std::string& name) {
  if (const auto found = by_name_.find(name); found != by_name_.end()) return *peers_[found->second];
  TcpPeer& peer = *peers_.emplace_back(std::make_unique<TcpPeer>());
  peer.number = peers_.size() - 1;
  peer.name = name;
  by_name_.emplace(peer.name, peer.number);
  return peer;
}

// Of a socket that is watched for nothing the kernel would still report the end, without end.
void KernelTcp::watch_for(TcpPeer& peer) {
  const bool writes =
      peer.state == State::connecting || (peer.state == State::open && !peer.outbox.is_empty());
  const uint32_t interest =
      (peer.inbox.waits() ? 0u : uint32_t{EPOLLIN}) | (writes ? uint32_t{EPOLLOUT} : 0u);
  if (interest == peer.interest || !peer.socket.is_open()) return;
  const uint32_t before = std::exchange(peer.interest, interest);
  if (interest == 0) return watch_.remove(peer.socket);
  const bool is_watched = before == 0 ? watch_.add(peer.socket, interest, peer.number)
                                      : watch_.change(peer.socket, interest, peer.number);
  if (!is_watched) broke(peer, errno);
}

// A process that was forked may still have the socket: then the kernel would watch it further, although it is closed here.
void KernelTcp::close(TcpPeer& peer) {
  if (peer.socket.is_open()) watch_.remove(peer.socket);
  peer.socket = {};
  peer.inbox = {};
}

bool KernelTcp::adopt(TcpPeer& peer, TcpSocket socket, State state) {
  close(peer);
  peer.socket = std::move(socket);
  peer.state = state;
  peer.interest = state == State::connecting ? EPOLLOUT : EPOLLIN;
  send_at_once(peer.socket);
  return watch_.add(peer.socket, peer.interest, peer.number);
}

void KernelTcp::connect(TcpPeer& peer) {
  TcpSocket socket = connect_to(address_of(peer));
  if (!socket.is_open() || !adopt(peer, std::move(socket), State::connecting)) broke(peer, errno);
}

void KernelTcp::greet(TcpPeer& peer) {
  if (const int error = take_error(peer.socket.get())) return broke(peer, error);
  peer.state = State::greeting;
  if (!say(peer.socket, hello_of(name_, *unpack_tcp_name(peer.name)))) return broke(peer, errno);
  watch_for(peer);
}

void KernelTcp::is_open(TcpPeer& peer) {
  const auto connection = tcp_connection(peer.socket.get());
  if (!connection) return broke(peer, ECONNRESET);
  peer.connection = *connection;
  peer.state = State::open;
  write_out(peer);
}

void KernelTcp::receive_guests(uint64_t mark) {
  auto arrival = reception_.look_at(mark);
  if (!arrival) {
    error_ = arrival.error();
    return report(EngineEvent::Kind::failed);
  }
  if (*arrival) meet(peer_named((*arrival)->name), std::move((*arrival)->socket));
}

// Where the peer has connected, too, and given that up, its hello may come when the other connection is open. One that waits for
// another connection where there will be none would wait for ever.
void KernelTcp::meet(TcpPeer& peer, TcpSocket socket) {
  if (peer.state == State::broken) return;
  if (!takes_connection_of(peer, packed_)) {
    answer(socket, TcpFrameKind::crossed);
    return;
  }
  if (!adopt(peer, std::move(socket), State::greeting) || !answer(peer.socket, TcpFrameKind::welcome))
    return broke(peer, errno);
  is_open(peer);
}

// A host that cannot be reached now may be reached later. How long to try is not this engine's to decide.
void KernelTcp::put_off(TcpPeer& peer) {
  close(peer);
  peer.state = State::unreached;
  peer.next_try_ns = now_ns() + between_tries_ns;
  unreached_.push_back(&peer);
}

void KernelTcp::try_again() {
  for (TcpPeer* const peer : std::exchange(unreached_, {})) {
    if (peer->state != State::unreached) continue;
    if (now_ns() < peer->next_try_ns)
      unreached_.push_back(peer);
    else
      connect(*peer);
  }
}

// Where there is no route at all the hosts share no network. Who ends in the middle of a frame was not done: the peer may wait for an
// answer to it, and nothing else would tell.
void KernelTcp::broke(TcpPeer& peer, int error) {
  if (peer.state <= State::connecting && says_unreachable(error) && error != ENETUNREACH)
    return put_off(peer);
  error_ = failure("the connection to " + address_of(peer) + ": " +
                   (error != 0 ? std::strerror(error) : "closed by the other side"));
  if (is_shortage(error))
    error_.number = error;
  else if (peer.state <= State::connecting)
    error_.try_this(
        "ATRIUM_NET_INTERFACE=NAME of a network that all hosts share, or a firewall that lets them connect");
  const bool is_torn = peer.state == State::open && error != EPROTO && peer.inbox.is_within_a_frame();
  close(peer);
  peer.state = State::broken;
  if (is_torn) report(EngineEvent::Kind::failed);
  peer.outbox.fail(events_);
  for (; !peer.reads.empty(); peer.reads.pop_front())
    report(EngineEvent::Kind::failed, peer.reads.front().token);
  if (peer.room.at) buffers_.give_up(std::exchange(peer.room, {}));
}

}  // namespace atrium
