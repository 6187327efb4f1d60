// Connects to all known addresses at once, without waiting.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/hosts/host_probe.hpp"

#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>

#include "os/network_interface.hpp"

namespace atrium {
namespace {

constexpr uint16_t ssh_port = 22;

std::string address_of(const std::string& network) { return network.substr(0, network.find('/')); }

// Begins; `error` is what has come of it so far.
int begin_connection(const std::string& address, int& error) {
  sockaddr_in whom{};
  whom.sin_family = AF_INET;
  whom.sin_port = htons(ssh_port);
  if (inet_pton(AF_INET, address.c_str(), &whom.sin_addr) != 1) return -1;
  const int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (descriptor < 0) return -1;
  error = connect(descriptor, reinterpret_cast<const sockaddr*>(&whom), sizeof whom) == 0 ? 0 : errno;
  return descriptor;
}

int error_of(int descriptor) {
  int error = 0;
  socklen_t bytes = sizeof error;
  return getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &bytes) == 0 ? error : errno;
}

}  // namespace

void HostProbe::set_networks(const std::vector<std::string>& networks) {
  const std::vector<std::string> own = addresses_of_networks();
  for (const std::string& network : networks)
    if (std::find(own.begin(), own.end(), network) == own.end()) addresses_.push_back(address_of(network));
  is_this_host_ = !networks.empty() && addresses_.empty();
}

void HostProbe::ask() {
  for (const int descriptor : sockets_) close(descriptor);
  sockets_.clear();
  for (const std::string& address : addresses_) {
    int error = 0;
    const int descriptor = begin_connection(address, error);
    if (descriptor < 0) continue;
    if (error == EINPROGRESS) {
      sockets_.push_back(descriptor);
      continue;
    }
    take(error);
    close(descriptor);
  }
}

void HostProbe::look() {
  std::erase_if(sockets_, [this](int descriptor) {
    pollfd connected{descriptor, POLLOUT, 0};
    if (poll(&connected, 1, 0) != 1) return false;
    take(error_of(descriptor));
    close(descriptor);
    return true;
  });
}

// Any other error says that there is no way, or something of this host.
void HostProbe::take(int error) {
  if (error == 0 || error == ECONNREFUSED || error == ECONNRESET) last_answer_ = Clock::now();
}

void HostProbe::forget() {
  for (const int descriptor : sockets_) close(descriptor);
  sockets_.clear();
  last_answer_ = Clock::time_point::min();
}

}  // namespace atrium
