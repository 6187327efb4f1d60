// Where an engine over TCP is connected to: who comes is a guest until he has said who he is and whom he wants.
// SPDX-License-Identifier: BSD-3-Clause
//
// Anybody may connect and say anything, or nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <optional>
#include <string>

#include "engine/tcp/name.hpp"
#include "engine/tcp/outbox.hpp"
#include "engine/tcp/watch.hpp"

namespace atrium {

class TcpReception {
 public:
  // The oldest guest is sent away where there are more than so many, or where another one cannot come in.
  TcpReception(TcpWatch& watch, TcpEvents& events, size_t most_guests)
      : watch_(watch), events_(events), most_guests_(most_guests) {}

  Result<TcpName> open(const std::string& address);

  // Marks that the watch reports for this.
  static bool has(uint64_t mark) { return mark >= of_guests; }
  struct Arrival {
    std::string name;  // of the peer that has come
    TcpSocket socket;
  };
  // Requires: has(mark).
  Result<std::optional<Arrival>> look_at(uint64_t mark);

 private:
  static constexpr uint64_t of_guests = uint64_t{1} << 62, of_listener = uint64_t{1} << 63;
  struct Guest {
    TcpSocket socket;
    std::string said;
  };

  Result<void> accept_all();
  bool send_oldest_away();
  std::optional<Arrival> hear(int descriptor);

  TcpWatch& watch_;
  TcpEvents& events_;
  size_t most_guests_;
  TcpSocket listener_;
  TcpName name_;
  std::list<Guest> guests_;
};

}  // namespace atrium
