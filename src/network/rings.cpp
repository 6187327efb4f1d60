// Takes commands out of the rings.
// SPDX-License-Identifier: BSD-3-Clause
#include "network/rings.hpp"

#include <algorithm>
#include <cstring>
#include <mutex>

#include "arch/fence.hpp"

namespace atrium {
namespace {

constexpr int64_t nap_ns = 20'000;
constexpr int most_commands_per_turn = 64;  // of a ring, before the others have their turn

}  // namespace

Endpoint::Rings::Rings(Endpoint& endpoint, const std::vector<RingGuest>& guests, Doorbell& bell)
    : endpoint_(endpoint), bell_(bell) {
  for (const RingGuest& guest : guests) guests_.push_back({guest.local, guest.block});
  if (endpoint.host_.idle) return;  // a test or a simulator takes all turns
  // Where it cannot be had, the progress thread looks at the rings between its naps.
  thread_.start(
      "atrium-ring", [](void* self) { static_cast<Rings*>(self)->run(); }, this);
}

Endpoint::Rings::~Rings() { stop_thread(); }

void Endpoint::Rings::stop_thread() {
  if (thread_.is_me()) return;
  stop_ = true;
  bell_.ring_anyhow();
  thread_.join();
}

// What it sends is answered to whoever sleeps in poll(). Never waits for the lock: who holds it may be about to end the
// process, and then waits for this thread.
void Endpoint::Rings::run() {
  uint32_t seen = bell_.rings();
  while (!stop_) {
    if (!endpoint_.lock_.try_lock()) {
      bell_.sleep(bell_.rings(), nap_ns);
      continue;
    }
    endpoint_.drive();
    const bool goes_on = endpoint_.rings_ && has_work() && !endpoint_.has_failed();
    endpoint_.lock_.unlock();
    if (goes_on) continue;
    bell_.sleep(seen);
    seen = bell_.rings();
  }
}

bool Endpoint::Rings::has_work() {
  return std::any_of(guests_.begin(), guests_.end(), [](Guest& guest) {
    return (!guest.stands && !guest.block->ring.is_empty()) || guest.asked != guest.block->questions.asked();
  });
}

int Endpoint::Rings::serve(bool came) {
  int executed = 0;
  for (Guest& guest : guests_) {
    const int of_guest = execute_some(guest);
    wake_if_room(guest, of_guest);
    executed += of_guest;
  }
  endpoint_.send_all();  // before anybody sleeps
  if (executed != 0) endpoint_.events_.fetch_add(1, std::memory_order_relaxed);
  if (came || executed != 0) {
    for (Guest& guest : guests_) wake_if_complete(guest);
  }
  return executed;
}

int Endpoint::Rings::execute_some(Guest& guest) {
  int executed = 0;
  guest.stands = false;
  int before;
  do {
    before = executed;
    while (executed < most_commands_per_turn && execute_next(guest)) ++executed;
  } while (executed != before && !guest.stands && executed < most_commands_per_turn &&
           !guest.block->ring.is_drained());
  const uint32_t asked = guest.block->questions.asked();
  if (guest.block->questions.somebody_waits()) endpoint_.wire_.demand_all();
  if (guest.stands || guest.block->ring.is_empty()) guest.asked = asked;
  return executed;
}

// A counter that was down can only be so again after a further command.
void Endpoint::Rings::wake_if_complete(Guest& guest) {
  uint32_t news = 0;
  for (uint32_t left = guest.counting; left != 0; left &= left - 1) {
    const auto number = static_cast<unsigned>(__builtin_ctz(left));
    if (is_complete(&guest.block->counter[number])) news |= 1u << number;
  }
  guest.counting &= ~news;
  if (news != 0) guest.block->done.ring();
}

// Who sleeps because the ring is full has left more in it than half: that is executed later, and then this is asked again.
void Endpoint::Rings::wake_if_room(Guest& guest, int executed) {
  if (executed != 0 && !guest.block->ring.is_crowded()) guest.block->room.ring();
}

// Executes a guest's next command. False: there is none, or it has to stay.
bool Endpoint::Rings::execute_next(Guest& guest) {
  const Command* command = guest.block->ring.front();
  if (!command || endpoint_.has_failed()) return false;
  if (!is_sound(guest, *command)) {
    endpoint_.fail(Error{"a command of a PE of this node makes no sense", "", "", ""});
    return false;
  }
  if (!execute(guest, *command)) return guest.stands = true, false;
  for (const uint16_t number : {command->returns, command->pending}) {
    if (number >= RingBlock::counters) continue;
    complete(&guest.block->counter[number]);
    guest.counting |= 1u << number;
  }
  guest.block->ring.pop(command->size);
  ++endpoint_.commands_ended_;
  return true;
}

// Memory of this node that a command names is the guest's own.
bool Endpoint::Rings::is_sound(const Guest& guest, const Command& command) const {
  if (command.kind == OperationKind::fence) return true;
  const auto node = static_cast<size_t>(command.place.node);
  if (node >= endpoint_.plan_.addresses.size() || command.place.node == endpoint_.plan_.node) return false;
  if (command.kind == OperationKind::change) return true;
  if (command.here == Command::is_behind) return command.puts() && command.bytes <= largest_payload;
  const bool fetches = command.kind == OperationKind::fetch;
  return (command.puts() || fetches || command.kind == OperationKind::get) &&
         endpoint_.memory_.allows(static_cast<unsigned>(guest.local), command.here,
                                  fetches ? command.change.width : command.bytes);
}

Request Endpoint::Rings::request_of(const Guest& guest, const Command& command) const {
  const char* const here = command.here == Command::is_behind ? reinterpret_cast<const char*>(&command + 1)
                                                              : endpoint_.memory_.view + command.here;
  return {command, const_cast<char*>(here), counter(guest, command.pending), counter(guest, command.returns)};
}

// False: it has to wait for the network. What this has to be told first is told: there may be no other turn until something comes.
bool Endpoint::Rings::execute(Guest& guest, const Command& command) {
  Wire& wire = endpoint_.wire_;
  if (command.kind == OperationKind::fence) return wire.fence(), true;
  const Request request = request_of(guest, command);
  if (!guest.newcomer) guest.newcomer = wire.arrive(request);
  Channel& channel = *guest.newcomer->channel;
  if (!wire.may_begin(request, *guest.newcomer)) {
    endpoint_.send(channel, true);
    if (!wire.may_begin(request, *guest.newcomer)) return false;
  }
  wire.begin(request, *guest.newcomer);
  guest.newcomer.reset();
  // Where somebody waits, serve() sends all that it has appended, and asks for an answer.
  if (!guest.block->questions.somebody_waits() && (!channel.unposted.empty() || wire.goes_now(channel)))
    endpoint_.send(channel, false);
  return true;
}

void Endpoint::RingsDeleter::operator()(Rings* rings) const { delete rings; }

void Endpoint::admit(const std::vector<RingGuest>& guests, Doorbell& bell) {
  auto* rings = new Rings(*this, guests, bell);
  const std::lock_guard lock(lock_);
  rings_.reset(rings);
}

void Endpoint::dismiss() {
  std::unique_ptr<Rings, RingsDeleter> rings;
  {
    const std::lock_guard lock(lock_);
    rings = std::move(rings_);
  }
}

}  // namespace atrium
