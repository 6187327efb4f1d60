// An owner's side of the command rings: its clients' commands become operations of its wire.
// SPDX-License-Identifier: BSD-3-Clause
//
// Commands of a client are executed in the order in which it wrote them, by the thread that drives the endpoint. No command blocks
// it: one that cannot begin yet stays where it is, and only its own ring has to wait.
// Thread safety: the progress lock is held in all calls.
#pragma once

#include <optional>
#include <vector>

#include "network/endpoint.hpp"
#include "network/ring_block.hpp"

namespace atrium {

class Rings {
 public:
  // `node`: mine. At `bell` the clients ring.
  Rings(Wire& wire, const NodeMemory& memory, int node, const std::vector<ClientRing>& clients,
        Doorbell& bell);

  // Executes all commands that can begin, and returns their number. The caller then sends what the wire has to send.
  int execute();
  // A command has made no sense; no further command is executed.
  bool is_broken() const { return is_broken_; }
  // Wakes the clients that wait for operations that are complete.
  void wake_clients();
  // Whether there is anything that execute() could do.
  bool has_work() const;
  Doorbell& bell() { return bell_; }

 private:
  struct Client {
    int local;
    RingBlock* block;
    bool stands = false;                      // its next command cannot be executed yet
    std::optional<QueuedOperation> queued{};  // of that command
    // A bit for each of its counters that has not been seen down since its last command.
    uint32_t counting = 0;
    uint32_t asked = 0;  // up to which its questions have been passed on
  };

  int execute_some(Client& client);
  bool execute_next(Client& client);
  bool execute(Client& client, const Command& command);
  void wake_if_complete(Client& client);
  void wake_if_room(Client& client, int executed);
  bool is_sound(const Client& client, const Command& command) const;
  Request request_of(const Client& client, const Command& command) const;
  Pending* counter(const Client& client, uint16_t number) const {
    return number < RingBlock::counters ? &client.block->counter[number] : nullptr;
  }

  Wire& wire_;
  const NodeMemory& memory_;
  const int node_;
  Doorbell& bell_;
  std::vector<Client> clients_;
  bool is_broken_ = false;
};

}  // namespace atrium
