// TCP connections between two hosts, and links: connections on which nothing is sent, by which the kernels find out that the other
// host is out of reach.
// SPDX-License-Identifier: BSD-3-Clause
//
// On a link the kernel of each end asks the other's once a second (keepalive), and answers whatever the process does: one that is
// stopped, slow or without a CPU is there. Five questions without an answer end the link with an error. On another connection it
// asks once a minute, so that what stands between the hosts does not forget it.
#pragma once

#include <string>

struct sockaddr;

namespace atrium {

// A socket, closed at the end. Empty: -1.
class TcpSocket {
 public:
  TcpSocket() = default;
  explicit TcpSocket(int socket) : socket_(socket) {}
  TcpSocket(TcpSocket&& other) noexcept : socket_(other.release()) {}
  TcpSocket& operator=(TcpSocket&& other) noexcept;
  ~TcpSocket();

  int get() const { return socket_; }
  bool is_open() const { return socket_ >= 0; }

 private:
  int release();

  int socket_ = -1;
};

// Whether this error of a connection means that its other end cannot be reached; others mean that the other end has closed it.
bool says_unreachable(int error);
// Whether this host lacks descriptors or memory.
bool says_shortage(int error);
// What has become of a connection: 0 or its error, which is thereby taken.
int take_error(int socket);

// At an address of this host, IPv4 or IPv6, on whatever port; `name` is then what who connects needs. Empty with errno where none can
// be had.
TcpSocket listen_at(const std::string& address, std::string& name);
TcpSocket listen_for_links(const std::string& address, std::string& name);
// Begins; writable when it has come to something. Empty with errno where it has failed at once.
TcpSocket connect_to(const std::string& name);
TcpSocket connect_link(const std::string& name);
TcpSocket connect_link(const sockaddr& whom);
// Empty with errno if no connection has come.
TcpSocket accept_link(int listener);

}  // namespace atrium
