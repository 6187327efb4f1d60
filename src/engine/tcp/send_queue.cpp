// Writes frames into a socket, several by one system call.
// SPDX-License-Identifier: BSD-3-Clause
#include "engine/tcp/send_queue.hpp"

#include <sys/socket.h>

#include <algorithm>
#include <cerrno>

namespace atrium {
namespace {

constexpr size_t most_posts = 16;  // of one system call

// What is not written of a post, in one or two pieces.
size_t add_pieces(TcpPost& post, iovec* pieces) {
  size_t count = 0;
  constexpr size_t header = sizeof post.frame;
  if (post.written < header)
    pieces[count++] = {reinterpret_cast<char*>(&post.frame) + post.written, header - post.written};
  const size_t before = std::max(post.written, header) - header;
  if (post.bytes() > header + before)
    pieces[count++] = {const_cast<char*>(post.data) + before, post.bytes() - header - before};
  return count;
}

}  // namespace

void TcpSendQueue::count(size_t written, TcpEvents& events) {
  while (written != 0) {
    TcpPost& post = posts_.front();
    const size_t part = std::min(written, post.bytes() - post.written);
    post.written += part;
    written -= part;
    if (post.written < post.bytes()) return;
    if (post.wants_event) events.push_back({post.kind, post.token, nullptr, 0});
    posts_.pop_front();
  }
}

bool TcpSendQueue::write_to(int socket, TcpEvents& events) {
  while (!posts_.empty()) {
    iovec pieces[2 * most_posts];
    msghdr message{};
    message.msg_iov = pieces;
    size_t offered = 0;
    for (size_t i = 0; i < std::min(posts_.size(), most_posts); ++i) {
      message.msg_iovlen += add_pieces(posts_[i], pieces + message.msg_iovlen);
      offered += posts_[i].bytes() - posts_[i].written;
    }
    const ssize_t written = ::sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (written < 0) return errno == EAGAIN || errno == EINTR || errno == ENOBUFS;
    count(static_cast<size_t>(written), events);
    if (static_cast<size_t>(written) < offered) return true;
  }
  return true;
}

void TcpSendQueue::fail(TcpEvents& events) {
  for (; !posts_.empty(); posts_.pop_front()) {
    const TcpPost& post = posts_.front();
    if (post.wants_event) events.push_back({EngineEvent::Kind::failed, post.token, nullptr, 0});
  }
}

}  // namespace atrium
