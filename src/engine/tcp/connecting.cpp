// The life of a connection to a peer, from the first attempt to its failure.
// SPDX-License-Identifier: BSD-3-Clause
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "engine/tcp/handshake.hpp"
#include "engine/tcp/kernel_tcp.hpp"
#include "os/clock.hpp"

namespace atrium {
namespace {

constexpr uint64_t between_tries_ns = 100'000'000;  // to connect to a host that cannot be reached

std::string address_of(const TcpPeer& peer) { return unpack_tcp_name(peer.name)->address; }

void disable_delay(const TcpSocket& socket) {
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

// A socket without any interest is removed: epoll would report its end again and again.
void KernelTcp::update_interest(TcpPeer& peer) {
  const bool writes =
      peer.state == State::connecting || (peer.state == State::open && !peer.sends.is_empty());
  const uint32_t interest =
      (peer.reader.is_paused() ? 0u : uint32_t{EPOLLIN}) | (writes ? uint32_t{EPOLLOUT} : 0u);
  if (interest == peer.interest || !peer.socket.is_open()) return;
  const uint32_t before = std::exchange(peer.interest, interest);
  if (interest == 0) return epoll_.remove(peer.socket);
  const bool is_watched = before == 0 ? epoll_.add(peer.socket, interest, peer.number)
                                      : epoll_.change(peer.socket, interest, peer.number);
  if (!is_watched) fail(peer, errno);
}

// It must be removed before it is closed: a forked process may have the socket, too, and epoll would go on reporting it.
void KernelTcp::close(TcpPeer& peer) {
  if (peer.socket.is_open()) epoll_.remove(peer.socket);
  peer.socket = {};
  peer.reader = {};
}

bool KernelTcp::use_socket(TcpPeer& peer, TcpSocket socket, State state) {
  close(peer);
  peer.socket = std::move(socket);
  peer.state = state;
  peer.interest = state == State::connecting ? EPOLLOUT : EPOLLIN;
  disable_delay(peer.socket);
  return epoll_.add(peer.socket, peer.interest, peer.number);
}

void KernelTcp::connect(TcpPeer& peer) {
  TcpSocket socket = connect_to(address_of(peer));
  if (!socket.is_open() || !use_socket(peer, std::move(socket), State::connecting)) fail(peer, errno);
}

void KernelTcp::send_hello(TcpPeer& peer) {
  if (const int error = take_error(peer.socket.get())) return fail(peer, error);
  peer.state = State::hello_sent;
  if (!send_short(peer.socket, hello_to(name_, *unpack_tcp_name(peer.name)))) return fail(peer, errno);
  update_interest(peer);
}

void KernelTcp::opened(TcpPeer& peer) {
  const auto connection = tcp_connection(peer.socket.get());
  if (!connection) return fail(peer, ECONNRESET);
  peer.connection = *connection;
  peer.state = State::open;
  write_out(peer);
}

void KernelTcp::accept_peers(uint64_t mark) {
  auto accepted = listener_.handle(mark);
  if (!accepted) {
    error_ = accepted.error();
    return report(EngineEvent::Kind::failed);
  }
  if (*accepted) accept(peer_named((*accepted)->name), std::move((*accepted)->socket));
}

// A connection that is not used must be answered: its peer would wait for ever.
void KernelTcp::accept(TcpPeer& peer, TcpSocket socket) {
  if (peer.state == State::failed) return;
  if (!accepts_connection_of(peer, packed_)) {
    send_answer(socket, TcpFrameKind::crossed);
    return;
  }
  if (!use_socket(peer, std::move(socket), State::hello_sent) ||
      !send_answer(peer.socket, TcpFrameKind::welcome))
    return fail(peer, errno);
  opened(peer);
}

// A host that cannot be reached now may be reached later. The endpoint decides how long to try.
void KernelTcp::retry_later(TcpPeer& peer) {
  close(peer);
  peer.state = State::unreachable;
  peer.next_try_ns = now_ns() + between_tries_ns;
  unreachable_.push_back(&peer);
}

void KernelTcp::retry_unreachable() {
  for (TcpPeer* const peer : std::exchange(unreachable_, {})) {
    if (peer->state != State::unreachable) continue;
    if (now_ns() < peer->next_try_ns)
      unreachable_.push_back(peer);
    else
      connect(*peer);
  }
}

// Without any route the hosts share no network, and the job fails at once. So it does where a connection ends within a frame: the peer may
// wait for an answer to it, and no operation here would fail.
void KernelTcp::fail(TcpPeer& peer, int error) {
  if (peer.state <= State::connecting && says_unreachable(error) && error != ENETUNREACH)
    return retry_later(peer);
  error_ = failure("the connection to " + address_of(peer) + ": " +
                   (error != 0 ? std::strerror(error) : "closed by the other side"));
  if (error == EBADF || error == ENOTSOCK)
    error_ = closed_by_program("the connection to " + address_of(peer));
  else if (says_shortage(error))
    error_.number = error;
  else if (peer.state <= State::connecting)
    error_.try_this(
        "ATRIUM_NET_INTERFACE=NAME of a network that all hosts share, or a firewall that lets them connect");
  const bool is_torn = peer.state == State::open && error != EPROTO && peer.reader.is_within_a_frame();
  close(peer);
  peer.state = State::failed;
  if (is_torn) report(EngineEvent::Kind::failed);
  peer.sends.fail(events_);
  for (; !peer.reads.empty(); peer.reads.pop_front())
    report(EngineEvent::Kind::failed, peer.reads.front().token);
  if (peer.reservation.at) buffers_.release(std::exchange(peer.reservation, {}));
}

}  // namespace atrium
