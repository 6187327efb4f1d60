// Asks whether a host is up by a connection attempt that does not block, and then by the connection.
// SPDX-License-Identifier: BSD-3-Clause
#include "os/tcp_probe.hpp"

#include <poll.h>
#include <sys/socket.h>

#include <cerrno>
#include <utility>

#include "os/tcp_link.hpp"

namespace atrium {
namespace {

class TcpProbe final : public Probe {
 public:
  TcpProbe(TcpSocket socket, Answer answer) : socket_(std::move(socket)), answer_(answer) {}

  Answer look() override {
    if (answer_ == Answer::none_yet && is_ready(POLLOUT))
      answer_ = answer_of(take_error(socket_.get()));
    else if (answer_ == Answer::reachable && is_ready(POLLIN))
      answer_ = end_of_connection();
    return answer_;
  }

  // The outcome of connect(): connected, refused, or prevented by this host, which proves nothing about the other one.
  static Answer answer_of(int error) {
    return says_unreachable(error) ? Answer::unreachable : Answer::reachable;
  }

 private:
  bool is_ready(short event) const {
    pollfd descriptor{socket_.get(), event, 0};
    return ::poll(&descriptor, 1, 0) == 1;
  }
  // The other end never says anything that is meant for us.
  Answer end_of_connection() const {
    char word;
    const bool fails = ::recv(socket_.get(), &word, sizeof word, MSG_DONTWAIT) < 0;
    return fails && says_unreachable(errno) ? Answer::unreachable : Answer::over;
  }

  TcpSocket socket_;
  Answer answer_;
};

// `link` is empty where errno says why.
std::unique_ptr<Probe> probe_by(TcpSocket link) {
  if (link.is_open()) return std::make_unique<TcpProbe>(std::move(link), Probe::Answer::none_yet);
  if (!says_unreachable(errno) && errno != ECONNREFUSED) return nullptr;
  return std::make_unique<TcpProbe>(std::move(link), TcpProbe::answer_of(errno));
}

}  // namespace

std::unique_ptr<Probe> begin_tcp_probe(const sockaddr& whom) { return probe_by(connect_link(whom)); }
std::unique_ptr<Probe> begin_tcp_probe(const std::string& name) { return probe_by(connect_link(name)); }

}  // namespace atrium
