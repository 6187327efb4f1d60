// Takes commands out of the rings and turns them into operations of the wire.
// SPDX-License-Identifier: BSD-3-Clause
#include "network/rings.hpp"

#include <algorithm>

#include "arch/fence.hpp"

namespace atrium {
namespace {

constexpr int most_commands_per_turn = 64;  // of a ring, before the other rings are served

}  // namespace

Rings::Rings(Wire& wire, const NodeMemory& memory, int node, const std::vector<ClientRing>& clients,
             Doorbell& bell)
    : wire_(wire), memory_(memory), node_(node), bell_(bell) {
  for (const ClientRing& client : clients) clients_.push_back({client.local, client.block});
}

bool Rings::has_work() const {
  return std::any_of(clients_.begin(), clients_.end(), [](const Client& client) {
    return (!client.stands && !client.block->ring.is_empty()) ||
           client.asked != client.block->questions.asked();
  });
}

int Rings::execute() {
  int executed = 0;
  for (Client& client : clients_) {
    const int of_client = execute_some(client);
    wake_if_room(client, of_client);
    executed += of_client;
  }
  return executed;
}

void Rings::wake_clients() {
  for (Client& client : clients_) wake_if_complete(client);
}

int Rings::execute_some(Client& client) {
  int executed = 0;
  client.stands = false;
  int before;
  do {
    before = executed;
    while (executed < most_commands_per_turn && execute_next(client)) ++executed;
  } while (executed != before && !client.stands && executed < most_commands_per_turn &&
           !client.block->ring.is_drained());
  const uint32_t asked = client.block->questions.asked();
  if (client.block->questions.somebody_waits()) wire_.demand_all();
  if (client.stands || client.block->ring.is_empty()) client.asked = asked;
  return executed;
}

// A counter that was down can only be so again after a further command.
void Rings::wake_if_complete(Client& client) {
  uint32_t news = 0;
  for (uint32_t left = client.counting; left != 0; left &= left - 1) {
    const auto number = static_cast<unsigned>(__builtin_ctz(left));
    if (is_complete(&client.block->counter[number])) news |= 1u << number;
  }
  client.counting &= ~news;
  if (news != 0) client.block->done.ring();
}

// A writer that sleeps because the ring is full has left it more than half full. The rest is executed later, and then this is
// called again.
void Rings::wake_if_room(Client& client, int executed) {
  if (executed != 0 && !client.block->ring.is_crowded()) client.block->room.ring();
}

// Executes a client's next command. False: there is none, or it cannot begin yet.
bool Rings::execute_next(Client& client) {
  const Command* command = client.block->ring.front();
  if (!command || is_broken_) return false;
  if (!is_sound(client, *command)) return is_broken_ = true, false;
  if (!execute(client, *command)) return client.stands = true, false;
  for (const uint16_t number : {command->returns, command->pending}) {
    if (number >= RingBlock::counters) continue;
    complete(&client.block->counter[number]);
    client.counting |= 1u << number;
  }
  client.block->ring.pop(command->size);
  return true;
}

// Memory of this node that a command names is the client's own.
bool Rings::is_sound(const Client& client, const Command& command) const {
  if (command.kind == OperationKind::fence) return true;
  const auto node = static_cast<size_t>(command.place.node);
  if (node >= wire_.nodes() || command.place.node == node_) return false;
  if (command.kind == OperationKind::change) return true;
  if (command.here == Command::is_behind) return command.puts() && command.bytes <= largest_payload;
  const bool fetches = command.kind == OperationKind::fetch;
  return (command.puts() || fetches || command.kind == OperationKind::get) &&
         memory_.allows(static_cast<unsigned>(client.local), command.here,
                        fetches ? command.change.width : command.bytes);
}

Request Rings::request_of(const Client& client, const Command& command) const {
  const char* const here = command.here == Command::is_behind ? reinterpret_cast<const char*>(&command + 1)
                                                              : memory_.view + command.here;
  // If a thread of the client waits, the acknowledgement of all that this turn has executed is asked for at its end.
  return {command,
          const_cast<char*>(here),
          counter(client, command.pending),
          counter(client, command.returns),
          false,
          client.block->questions.somebody_waits()};
}

// False: it has to wait for the network.
bool Rings::execute(Client& client, const Command& command) {
  if (command.kind == OperationKind::fence) return wire_.fence(), true;
  const Request request = request_of(client, command);
  if (!client.queued) client.queued = wire_.enqueue(request);
  if (!wire_.may_begin(request, *client.queued)) return false;
  wire_.begin(request, *client.queued);
  client.queued.reset();
  return true;
}

}  // namespace atrium
