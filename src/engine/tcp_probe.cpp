// Asks whether a host is up by a connection attempt that does not block, and then by the connection.
// SPDX-License-Identifier: BSD-3-Clause
#include "engine/tcp_probe.hpp"

#include <netinet/in.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>

#include "engine/tcp_link.hpp"

namespace atrium {
namespace {

class TcpProbe final : public Probe {
 public:
  explicit TcpProbe(int socket, Answer answer) : socket_(socket), answer_(answer) {}
  ~TcpProbe() override { ::close(socket_); }
  TcpProbe(const TcpProbe&) = delete;
  TcpProbe& operator=(const TcpProbe&) = delete;

  Answer look() override {
    if (answer_ == Answer::none_yet && is_ready(POLLOUT))
      answer_ = answer_of(take_error(socket_));
    else if (answer_ == Answer::reachable && is_ready(POLLIN))
      answer_ = end_of_connection();
    return answer_;
  }

  // What connect() has come to.
  static Answer answer_of(int error) {
    if (error == EINPROGRESS) return Answer::none_yet;
    // It is there, or it has refused, or something of this host is in the way, which says nothing of that one.
    return says_unreachable(error) ? Answer::unreachable : Answer::reachable;
  }

 private:
  bool is_ready(short event) const {
    pollfd descriptor{socket_, event, 0};
    return ::poll(&descriptor, 1, 0) == 1;
  }
  // The other end never says anything that is meant for us.
  Answer end_of_connection() const {
    char word;
    const bool fails = ::recv(socket_, &word, sizeof word, MSG_DONTWAIT) < 0;
    return fails && says_unreachable(errno) ? Answer::unreachable : Answer::over;
  }

  int socket_;
  Answer answer_;
};

}  // namespace

std::unique_ptr<Probe> begin_tcp_probe(const sockaddr& whom) {
  if (whom.sa_family != AF_INET && whom.sa_family != AF_INET6) return nullptr;
  const int socket = ::socket(whom.sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (socket < 0) return nullptr;
  ask_now_and_then(socket);
  const socklen_t bytes = whom.sa_family == AF_INET ? sizeof(sockaddr_in) : sizeof(sockaddr_in6);
  const int error = ::connect(socket, &whom, bytes) == 0 ? 0 : errno;
  return std::make_unique<TcpProbe>(socket, TcpProbe::answer_of(error));
}

}  // namespace atrium
