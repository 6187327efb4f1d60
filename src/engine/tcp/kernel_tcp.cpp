// Posts frames, and polls the sockets.
// SPDX-License-Identifier: BSD-3-Clause
#include "engine/tcp/kernel_tcp.hpp"

#include <sys/socket.h>

#include <cerrno>
#include <utility>

#include "engine/tcp/limits.hpp"
#include "engine/tcp/tcp_engine.hpp"
#include "os/tcp_probe.hpp"

namespace atrium {
namespace {

// False: the connection has failed, as errno says.
bool write_now(const TcpSocket& socket, TcpPost& post) {
  const size_t data = post.bytes() - sizeof post.frame;
  iovec pieces[] = {{&post.frame, sizeof post.frame}, {const_cast<char*>(post.data), data}};
  msghdr message{};
  message.msg_iov = pieces;
  message.msg_iovlen = data == 0 ? 1 : 2;
  const ssize_t written = ::sendmsg(socket.get(), &message, MSG_NOSIGNAL | MSG_DONTWAIT);
  if (written < 0) return errno == EAGAIN || errno == EINTR || errno == ENOBUFS;
  post.written = static_cast<size_t>(written);
  return true;
}

TcpFrame frame_at(TcpFrameKind kind, const RegionKey& region, uint64_t place, size_t bytes) {
  return {kind, static_cast<uint32_t>(bytes), region.key, region.base + place};
}

}  // namespace

KernelTcp::KernelTcp(size_t message, size_t peers)
    : listener_(epoll_, events_, 64 + 2 * peers),
      buffers_(message, events_),
      staging_(std::make_unique_for_overwrite<char[]>(tcp_staging_bytes)) {
  traits_.provider = kernel_tcp;
  traits_.largest_message = message;
  traits_.largest_transfer = largest_part;
  traits_.sends_after_writes = true;
  traits_.light_endpoints = true;
  traits_.costly_messages = true;
  traits_.shows_links = true;
}

Result<void> KernelTcp::open(const std::string& address) {
  if (auto r = epoll_.open(); !r) return r.error();
  auto name = listener_.open(address);
  if (!name) return name.error();
  name_ = *name;
  packed_ = pack(name_);
  return {};
}

Result<Peer> KernelTcp::insert(std::string_view name) {
  if (!unpack_tcp_name(name)) return Error{"cannot reach another node", "its address makes no sense"};
  return peer_named(std::string(name)).number;
}

Result<RegionKey> KernelTcp::register_region(void* start, size_t bytes, uint64_t wanted) {
  region_ = {static_cast<char*>(start), bytes, wanted};
  return RegionKey{wanted, 0};
}

Post KernelTcp::send(Peer to, const void* data, size_t bytes, void* token) {
  const TcpFrame frame{TcpFrameKind::message, static_cast<uint32_t>(bytes), 0, 0};
  return post(*peers_[to], {frame, static_cast<const char*>(data), false, EngineEvent::Kind::sent, token});
}

Post KernelTcp::write(Peer to, const RegionKey& region, uint64_t place, const void* source, size_t bytes,
                      void* token) {
  return post(*peers_[to], {frame_at(TcpFrameKind::write, region, place, bytes),
                            static_cast<const char*>(source), true, EngineEvent::Kind::written, token});
}

Post KernelTcp::read(Peer from, const RegionKey& region, uint64_t place, void* dest, size_t bytes,
                     void* token) {
  if (peers_[from]->reads.size() >= most_tcp_reads) return Post::later;
  const Post complete_at_once = post(*peers_[from], {frame_at(TcpFrameKind::read, region, place, bytes)});
  if (complete_at_once == Post::later || complete_at_once == Post::failed) return complete_at_once;
  peers_[from]->reads.push_back({static_cast<char*>(dest), bytes, token});
  return Post::taken;
}

Post KernelTcp::post_receive(void* buffer, size_t bytes, void* token) {
  buffers_.post(buffer, bytes, token);
  for (TcpPeer* const peer : std::exchange(waiting_, {})) resume(*peer);
  return Post::taken;
}

// A frame that is written at once needs no completion, unless one is asked for.
Post KernelTcp::post(TcpPeer& peer, TcpPost post) {
  if (peer.state == State::unconnected) connect(peer);
  if (peer.state == State::failed) return Post::failed;
  if (peer.sends.size() >= most_tcp_posts) return Post::later;
  if (peer.state == State::open && peer.sends.is_empty()) {
    if (!write_now(peer.socket, post)) return fail(peer, errno), Post::failed;
    if (post.written == post.bytes()) return complete_at_once(post);
  }
  post.wants_event |= post.frame.kind == TcpFrameKind::message;
  peer.sends.add(post);
  update_interest(peer);
  return Post::taken;
}

Post KernelTcp::complete_at_once(const TcpPost& post) {
  if (!post.wants_event) return Post::done;
  report(post.kind, post.token);
  return Post::taken;
}

void KernelTcp::write_out(TcpPeer& peer) {
  if (!peer.sends.write_to(peer.socket.get(), events_)) return fail(peer, errno);
  update_interest(peer);
}

// Most often the next frame comes over the same connection as the last: that one is read first, without asking epoll. All sockets are looked
// at when nothing comes there, and after some polls in any case, also while this process's own writes keep the queue of events filled.
int KernelTcp::poll(EngineEvent* events, int room) {
  if (events_.size() < static_cast<size_t>(room)) {
    const bool came = last_ && polls_ < most_polls && receive(*last_);
    polls_ = came ? most_polls : polls_ + 1;
    if (!came && (polls_ > most_polls || !last_)) poll_sockets();
  }
  int count = 0;
  for (; count < room && !events_.empty(); events_.pop_front()) events[count++] = events_.front();
  return count;
}

// The first poll after a sleep looks at all sockets.
bool KernelTcp::may_sleep() {
  polls_ = most_polls;
  return events_.empty();
}

void KernelTcp::poll_sockets() {
  polls_ = 0;
  if (!unreachable_.empty()) retry_unreachable();
  const auto events = epoll_.poll();
  if (!events) {
    error_ = closed_by_program("the one by which it waits for other nodes");
    return report(EngineEvent::Kind::failed);
  }
  for (const epoll_event& ready : *events) {
    if (TcpListener::owns(ready.data.u64))
      accept_peers(ready.data.u64);
    else
      handle_socket(*peers_[ready.data.u64], ready.events);
  }
}

void KernelTcp::handle_socket(TcpPeer& peer, uint32_t ready) {
  constexpr int most_reads = 8;  // before the other sockets have a turn
  if (peer.state == State::connecting) return send_hello(peer);
  if ((ready & EPOLLOUT) != 0 && peer.state == State::open) write_out(peer);
  if ((ready & ~uint32_t{EPOLLOUT}) == 0) return;
  for (int reads = 0; reads < most_reads && receive(peer); ++reads) {
  }
}

std::unique_ptr<Probe> KernelTcp::probe(Peer whom) {
  return begin_tcp_probe(unpack_tcp_name(peers_[whom]->name)->address);
}

std::vector<Link> KernelTcp::links(Peer whom) {
  const TcpPeer& peer = *peers_[whom];
  if (peer.state != State::open) return {};
  return {{peer.connection.mine, peer.connection.theirs, peer.connection.descriptor, peer.number}};
}

Error KernelTcp::failure(const std::string& because) const {
  return Error{"an operation between nodes failed", std::string(kernel_tcp) + ": " + because};
}

Error KernelTcp::closed_by_program(const std::string& what) const {
  Error error = failure("the program has closed a descriptor that is Atrium's, " + what);
  error.number = EBADF;
  error.try_this("leaving descriptors alone that the program has not opened");
  return error;
}

EngineResult open_kernel_tcp(const NetworkRequest& request, const std::string& address) {
  auto engine = std::make_unique<KernelTcp>(request.message, request.peers_of_light);
  if (auto r = engine->open(address); !r) return r.error();
  return std::unique_ptr<Engine>(std::move(engine));
}

}  // namespace atrium
