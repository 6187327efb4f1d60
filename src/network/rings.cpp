// Takes commands out of the rings.
// SPDX-License-Identifier: BSD-3-Clause
#include "network/rings.hpp"

#include <algorithm>

#include "arch/fence.hpp"

namespace atrium {
namespace {

constexpr int most_commands_per_turn = 64;  // of a ring, before the others have their turn

}  // namespace

Rings::Rings(Wire& wire, const NodeMemory& memory, int node, const std::vector<RingGuest>& guests,
             Doorbell& bell)
    : wire_(wire), memory_(memory), node_(node), bell_(bell) {
  for (const RingGuest& guest : guests) guests_.push_back({guest.local, guest.block});
}

bool Rings::has_work() const {
  return std::any_of(guests_.begin(), guests_.end(), [](const Guest& guest) {
    return (!guest.stands && !guest.block->ring.is_empty()) || guest.asked != guest.block->questions.asked();
  });
}

int Rings::execute() {
  int executed = 0;
  for (Guest& guest : guests_) {
    const int of_guest = execute_some(guest);
    wake_if_room(guest, of_guest);
    executed += of_guest;
  }
  return executed;
}

void Rings::wake_guests() {
  for (Guest& guest : guests_) wake_if_complete(guest);
}

int Rings::execute_some(Guest& guest) {
  int executed = 0;
  guest.stands = false;
  int before;
  do {
    before = executed;
    while (executed < most_commands_per_turn && execute_next(guest)) ++executed;
  } while (executed != before && !guest.stands && executed < most_commands_per_turn &&
           !guest.block->ring.is_drained());
  const uint32_t asked = guest.block->questions.asked();
  if (guest.block->questions.somebody_waits()) wire_.demand_all();
  if (guest.stands || guest.block->ring.is_empty()) guest.asked = asked;
  return executed;
}

// A counter that was down can only be so again after a further command.
void Rings::wake_if_complete(Guest& guest) {
  uint32_t news = 0;
  for (uint32_t left = guest.counting; left != 0; left &= left - 1) {
    const auto number = static_cast<unsigned>(__builtin_ctz(left));
    if (is_complete(&guest.block->counter[number])) news |= 1u << number;
  }
  guest.counting &= ~news;
  if (news != 0) guest.block->done.ring();
}

// Who sleeps because the ring is full has left more in it than half: that is executed later, and then this is asked again.
void Rings::wake_if_room(Guest& guest, int executed) {
  if (executed != 0 && !guest.block->ring.is_crowded()) guest.block->room.ring();
}

// Executes a guest's next command. False: there is none, or it has to stay.
bool Rings::execute_next(Guest& guest) {
  const Command* command = guest.block->ring.front();
  if (!command || is_broken_) return false;
  if (!is_sound(guest, *command)) return is_broken_ = true, false;
  if (!execute(guest, *command)) return guest.stands = true, false;
  for (const uint16_t number : {command->returns, command->pending}) {
    if (number >= RingBlock::counters) continue;
    complete(&guest.block->counter[number]);
    guest.counting |= 1u << number;
  }
  guest.block->ring.pop(command->size);
  return true;
}

// Memory of this node that a command names is the guest's own.
bool Rings::is_sound(const Guest& guest, const Command& command) const {
  if (command.kind == OperationKind::fence) return true;
  const auto node = static_cast<size_t>(command.place.node);
  if (node >= wire_.nodes() || command.place.node == node_) return false;
  if (command.kind == OperationKind::change) return true;
  if (command.here == Command::is_behind) return command.puts() && command.bytes <= largest_payload;
  const bool fetches = command.kind == OperationKind::fetch;
  return (command.puts() || fetches || command.kind == OperationKind::get) &&
         memory_.allows(static_cast<unsigned>(guest.local), command.here,
                        fetches ? command.change.width : command.bytes);
}

Request Rings::request_of(const Guest& guest, const Command& command) const {
  const char* const here = command.here == Command::is_behind ? reinterpret_cast<const char*>(&command + 1)
                                                              : memory_.view + command.here;
  // Where somebody waits, an answer to all of this turn is asked for at its end.
  return {command,
          const_cast<char*>(here),
          counter(guest, command.pending),
          counter(guest, command.returns),
          false,
          guest.block->questions.somebody_waits()};
}

// False: it has to wait for the network.
bool Rings::execute(Guest& guest, const Command& command) {
  if (command.kind == OperationKind::fence) return wire_.fence(), true;
  const Request request = request_of(guest, command);
  if (!guest.newcomer) guest.newcomer = wire_.arrive(request);
  if (!wire_.may_begin(request, *guest.newcomer)) return false;
  wire_.begin(request, *guest.newcomer);
  guest.newcomer.reset();
  return true;
}

}  // namespace atrium
