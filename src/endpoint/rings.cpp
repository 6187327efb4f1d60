// Takes commands out of the rings.
// SPDX-License-Identifier: BSD-3-Clause
#include "endpoint/rings.hpp"

#include <algorithm>
#include <cstring>
#include <mutex>

#include "arch/fence.hpp"
#include "endpoint/pending.hpp"

namespace atrium {
namespace {

constexpr int64_t nap_ns = 20'000;
constexpr int most_commands_per_turn = 64;  // of a ring, before the others have their turn

Place place_of(const Command& command) { return {command.node, command.local, command.offset}; }
Place signal_of(const Command& command) {
  return {command.node, command.signal_local, command.signal_offset};
}
Travel travel_of(const Command& command) {
  if (command.kind == CommandKind::get) return travel_of_get(command.bytes);
  const bool puts = command.kind == CommandKind::put || command.kind == CommandKind::signal;
  return puts ? travel_of_put(command.bytes) : Travel::record;
}
Change change_of(const Command& command) {
  return {static_cast<RecordOp>(command.op & 7), command.width, command.operand, command.comparand};
}

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
    endpoint_.drive(true);
    const bool goes_on = endpoint_.rings_ && has_work() && !endpoint_.has_failed();
    endpoint_.lock_.unlock();
    if (goes_on) continue;
    bell_.sleep(seen);
    seen = bell_.rings();
  }
}

bool Endpoint::Rings::has_work() {
  if (serving_) return false;  // whoever does will look again
  return std::any_of(guests_.begin(), guests_.end(), [](Guest& guest) {
    return (!guest.stands && !guest.block->ring.is_empty()) || guest.asked != guest.block->questions.asked();
  });
}

int Endpoint::Rings::serve(bool came) {
  if (serving_) return 0;  // a command's engine refuses, and who waits for it has come here
  serving_ = true;
  int executed = 0;
  for (Guest& guest : guests_) {
    const int of_guest = execute_some(guest);
    wake_if_room(guest, of_guest);
    executed += of_guest;
  }
  if (executed != 0) endpoint_.events_.fetch_add(1, std::memory_order_relaxed);
  if (came || executed != 0) {
    for (Guest& guest : guests_) wake_if_complete(guest);
  }
  serving_ = false;
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
  if (guest.block->questions.somebody_waits()) endpoint_.demand_all();
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
  if (!can_execute(guest, *command)) return guest.stands = true, false;
  execute(guest, *command);
  guest.before.reset();
  for (const uint16_t number : {command->returns, command->pending}) {
    if (number >= RingBlock::counters) continue;
    complete(&guest.block->counter[number]);
    guest.counting |= 1u << number;
  }
  guest.block->ring.pop(command->size);
  endpoint_.traffic_.end();
  return true;
}

// Memory of this node that a command names is the guest's own.
bool Endpoint::Rings::is_sound(const Guest& guest, const Command& command) const {
  if (command.kind == CommandKind::fence) return true;
  if (static_cast<uint32_t>(command.node) >= endpoint_.channels_.size() ||
      command.node == endpoint_.plan_.node)
    return false;
  const bool brings = command.kind == CommandKind::put || command.kind == CommandKind::signal;
  if (command.kind == CommandKind::change) return true;
  if (command.here == Command::is_behind) return brings && command.bytes <= largest_payload;
  return endpoint_.memory_.allows(static_cast<unsigned>(guest.local), command.here,
                                  command.kind == CommandKind::fetch ? command.width : command.bytes);
}

// Whether nothing that execute() does will have to wait, but for an engine that takes no transfer.
bool Endpoint::Rings::can_execute(Guest& guest, const Command& command) {
  if (command.kind == CommandKind::fence) return true;
  const Travel travel = travel_of(command);
  const bool gets = command.kind == CommandKind::get;
  const bool fetches = command.kind == CommandKind::fetch || (gets && travel == Travel::record);
  Channel& channel = endpoint_.channel_to(command.node);
  if (!guest.before) {
    const bool behind_writes = gets || command.kind == CommandKind::signal;
    guest.before = endpoint_.predecessors(channel, travel, behind_writes ? Behind::writes : Behind::fence);
  }
  if (!channel.has_executed(*guest.before) || channel.waiting.size() >= Channel::most_waiting) return false;
  if (travel != Travel::record && !endpoint_.may_transfer(channel)) return false;
  if (!fetches) return true;
  if (!endpoint_.may_fetch(channel, &guest)) return false;
  std::erase(channel.fetchers, &guest);
  return true;
}

void Endpoint::Rings::execute_put(Channel& channel, const Guest& guest, const Command& command,
                                  const Place* signal) {
  const Change change = change_of(command);
  Pending* pending = counter(guest, command.pending);
  const char* source = command.here == Command::is_behind ? reinterpret_cast<const char*>(&command + 1)
                                                          : endpoint_.memory_.view + command.here;
  if (travel_of(command) == Travel::write) {
    Transfer& transfer =
        endpoint_.new_write(channel, pending, place_of(command), command.bytes, signal, &change);
    transfer.returns = counter(guest, command.returns);
    return endpoint_.start_write(transfer, const_cast<char*>(source));
  }
  if (command.bytes != 0) endpoint_.append_put(channel, place_of(command), source, command.bytes, pending);
  if (!signal) return;
  issue(pending);
  endpoint_.append_change(channel, *signal, change, pending, 0, false);
}

void Endpoint::Rings::execute(const Guest& guest, const Command& command) {
  if (command.kind == CommandKind::fence) {
    ++endpoint_.fences_;
    return;
  }
  Channel& channel = endpoint_.channel_to(command.node);
  Pending* pending = counter(guest, command.pending);
  char* here = endpoint_.memory_.view + command.here;
  const Place signal = signal_of(command);
  switch (command.kind) {
    case CommandKind::filler:
    case CommandKind::fence:
      return;
    case CommandKind::put:
      execute_put(channel, guest, command, nullptr);
      break;
    case CommandKind::signal:
      execute_put(channel, guest, command, &signal);
      break;
    case CommandKind::get:
      if (travel_of(command) == Travel::read)
        return endpoint_.read(channel, pending, here, place_of(command), command.bytes);
      endpoint_.append_get(channel, here, place_of(command), command.bytes, pending);
      break;
    case CommandKind::change:
      issue(pending);
      endpoint_.append_change(channel, place_of(command), change_of(command), pending, 0, false);
      channel.stored = channel.last_appended();
      break;
    case CommandKind::fetch: {
      const uint32_t token = endpoint_.new_fetch(channel, here, command.width, pending);
      endpoint_.append_change(channel, place_of(command), change_of(command), nullptr, token, true);
      break;
    }
  }
  // Where somebody waits, serve() sends all that its turn has appended, and asks for an answer.
  if (guest.block->questions.somebody_waits())
    endpoint_.list(channel);
  else
    endpoint_.appended(channel);
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

void Endpoint::stop_ring_thread() { rings_->stop_thread(); }

int Endpoint::ring_thread() const { return rings_ ? rings_->thread() : 0; }

int Endpoint::serve_rings(bool came) { return rings_->serve(came); }

bool Endpoint::has_work_in_rings() { return rings_->has_work(); }

// Before a thread sleeps where no bell is heard. False: there is something to do.
bool Endpoint::listen_to_rings() {
  rings_->bell().announce();
  if (!rings_->has_work()) return true;
  rings_->bell().withdraw();
  return false;
}

void Endpoint::stop_listening_to_rings() { rings_->bell().withdraw(); }

}  // namespace atrium
