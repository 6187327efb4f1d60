// Records gather in messages, messages go out: when, and with which acknowledgements.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstring>

#include "endpoint/endpoint.hpp"
#include "endpoint/pending.hpp"
#include "endpoint/waiting.hpp"

namespace atrium {

Channel& Endpoint::channel_to(int node) {
  const auto count = plan_.addresses[static_cast<size_t>(node)].size();
  return *channel_of(static_cast<uint32_t>(node),
                     static_cast<uint32_t>(static_cast<size_t>(plan_.endpoint) % count));
}

// Null where there is no such endpoint.
Channel* Endpoint::channel_of(uint32_t node, uint32_t endpoint) {
  if (node >= channels_.size() || endpoint >= channels_[node].size()) return nullptr;
  auto& slot = channels_[node][endpoint];
  if (slot) return slot.get();
  const EndpointAddress& address = plan_.addresses[node][endpoint];
  auto peer = engine_->insert(address.name);
  if (!peer) {
    fail(peer.error());
    return nullptr;
  }
  slot = std::make_unique<Channel>();
  slot->node = node;
  slot->endpoint = static_cast<uint16_t>(endpoint);
  slot->peer = *peer;
  slot->region = address.region;
  slot->seal = seal_with(node, slot->endpoint);
  in_use_.push_back(slot.get());
  return slot.get();
}

ChannelSeal Endpoint::seal_with(uint32_t node, uint16_t endpoint) const {
  const EndpointNumber me{static_cast<uint32_t>(plan_.node), static_cast<uint16_t>(plan_.endpoint)};
  return {*plan_.method, plan_.secret, me, {node, endpoint}};
}

Message* Endpoint::take_message(Channel& channel) {
  if (free_messages_.empty()) {
    messages_.emplace_back(new Message);  // its bytes are not cleared: they are written before they are sent
    free_messages_.push_back(messages_.back().get());
  }
  Message* message = free_messages_.back();
  free_messages_.pop_back();
  message->used = sizeof(MessageHeader);
  message->records = 0;
  message->sealed = message->asks = false;
  message->landed.clear();
  message->share_count = 0;
  message->channel = &channel;
  message->with_engine = message->answered = false;
  return message;
}

void Endpoint::give_back(Message* message) { free_messages_.push_back(message); }

namespace {

// False where the message cannot count for one more.
bool count(Message& message, uint64_t* pending) {
  if (!pending) return true;
  for (int i = message.share_count - 1; i >= 0; --i) {
    if (message.shares[i].pending == pending) return ++message.shares[i].records, true;
  }
  if (message.share_count == Message::most_shares) return false;
  message.shares[message.share_count++] = {pending, 1};
  return true;
}

}  // namespace

// Room for the payload of a new record, whose completion *pending waits for (it has been issued).
char* Endpoint::append(Channel& channel, const RecordHeader& header, size_t payload, Pending* pending) {
  const size_t bytes = record_bytes(payload);
  if (channel.open && channel.open->used + bytes > records_end) close_open(channel);
  if (channel.open && !count(*channel.open, pending)) close_open(channel);
  if (!channel.open) {
    channel.open = take_message(channel);
    activate(channel);
    if (pending) channel.open->shares[channel.open->share_count++] = {pending, 1};
  }
  Message& message = *channel.open;
  char* at = message.bytes + message.used;
  std::memcpy(at, &header, sizeof header);
  message.used += bytes;
  ++message.records;
  traffic_.begin();
  char* room = at + sizeof header;
  if (payload % 8 != 0) std::memset(room + payload / 8 * 8, 0, 8);  // nobody's old bytes go out
  return room;
}

void Endpoint::append_change(Channel& channel, const Place& word, const Change& change, Pending* pending,
                             uint32_t token, bool answers) {
  const bool compares = change.op == RecordOp::compare_swap;
  const RecordHeader header{RecordKind::change, change_detail(change.op, change.width, answers),
                            static_cast<uint16_t>(word.local), token, word.offset};
  char* payload = append(channel, header, compares ? 16 : 8, pending);
  std::memcpy(payload, &change.operand, 8);
  if (compares) std::memcpy(payload + 8, &change.comparand, 8);
}

void Endpoint::append_landed(Channel& channel, const Transfer& write) {
  const Place& place = write.place;
  const RecordHeader header{RecordKind::landed, 0, static_cast<uint16_t>(place.local), 0, place.offset};
  std::memcpy(append(channel, header, 8, write.pending), &write.bytes, 8);
  channel.open->landed.push_back({write.number, write.ordinal, write.links});
}

void Endpoint::close_open(Channel& channel) {
  channel.waiting.push_back(channel.open);
  channel.open = nullptr;
  channel.has_replies = false;
  list(channel);
}

// From here on every turn looks at the channel until nothing is left to do.
void Endpoint::list(Channel& channel) {
  activate(channel);
  if (channel.is_busy) return;
  channel.is_busy = true;
  busy_.push_back(&channel);
}

// After records of this PE's: sends them while the channel has little under way, else lets them gather.
void Endpoint::appended(Channel& channel) {
  list(channel);
  if (channel.waiting.empty() && channel.unanswered.size() >= Channel::gathers_from) return;
  if (channel.unanswered.empty()) {
    // The last guess was that nobody waits, or that somebody does: was it right?
    if (channel.guessing && channel.guess > 0) --channel.guess;
    channel.guessing = true;
  }
  pump(channel, false);
}

void Endpoint::make_room(Channel& channel) {
  if (channel.waiting.size() < Channel::most_waiting) return;
  wait([&] { return channel.waiting.size() < Channel::most_waiting; });
}

// Sends what may go now. `push`: also what would rather gather.
void Endpoint::pump(Channel& channel, bool push) {
  const auto open_goes = [&] {
    return channel.open && channel.waiting.empty() &&
           (push || channel.has_replies || channel.unanswered.size() < Channel::gathers_from);
  };
  while (channel.unanswered.size() < Channel::window) {
    if (open_goes()) close_open(channel);
    if (channel.waiting.empty()) break;
    Message* message = channel.waiting.front();
    if (!transmit(channel, *message)) return;
    channel.waiting.pop_front();
  }
  if (channel.must_ask && !channel.open && channel.waiting.empty()) {
    if (channel.asked != channel.sent && !channel.unanswered.empty() &&
        !transmit_bare(channel, message_urgent))
      return;
    channel.must_ask = false;
  }
  if (channel.must_tell && channel.told == channel.executed) channel.must_tell = false;
  if (channel.must_tell) transmit_bare(channel, 0);
}

void Endpoint::seal(Channel& channel, Message& message, uint16_t flags) {
  const bool bare = (flags & message_bare) != 0;
  const MessageHeader header{static_cast<uint32_t>(plan_.node),
                             static_cast<uint16_t>(plan_.endpoint),
                             flags,
                             bare ? ++channel.sealed_bare : ++channel.sealed,
                             channel.executed,
                             message.records};
  std::memcpy(message.bytes, &header, sizeof header);
  channel.seal.seal(message.bytes, message.used);
  message.used += seal_tag_bytes;
  message.sealed = true;
  message.asks = (flags & message_urgent) != 0;
  message.tells = channel.executed;
}

// The engine has taken it.
void Endpoint::sent(Channel& channel, const Message& message) {
  ++messages_sent_;
  if (message.asks) channel.asked = channel.sent;
  channel.told = message.tells;
  if (channel.told == channel.executed) channel.must_tell = false;
}

// The next message of the channel. False: the engine does not take it now.
bool Endpoint::transmit(Channel& channel, Message& message) {
  // The last one before records gather must ask: else they would wait for an answer that nobody sends.
  const bool ask = channel.must_ask || channel.unanswered.size() + 1 >= Channel::gathers_from ||
                   !message.landed.empty() || (channel.guess >= 2 && message.share_count != 0);
  if (!follows_its_writes(channel, message)) {
    fail_interfered(channel, "it was replaced while data was on its way");
    return false;
  }
  if (!message.sealed) seal(channel, message, ask ? message_urgent : uint16_t{0});
  const Post post = engine_->send(channel.peer, message.bytes, message.used, &message);
  channel.refused = post == Post::later;
  if (post == Post::failed) fail_of_engine();
  if (post == Post::later || post == Post::failed) return false;
  message.with_engine = post == Post::taken;
  ++channel.sent;
  sent(channel, message);
  channel.unanswered.push_back(&message);
  return true;
}

// A message without records: an acknowledgement, or the question for one.
bool Endpoint::transmit_bare(Channel& channel, uint16_t flags) {
  Message* message = take_message(channel);
  seal(channel, *message, static_cast<uint16_t>(flags | message_bare));
  message->answered = true;
  const Post post = engine_->send(channel.peer, message->bytes, message->used, message);
  channel.refused = post == Post::later;
  message->with_engine = post == Post::taken;
  if (post == Post::taken || post == Post::done) sent(channel, *message);
  if (post != Post::taken) give_back(message);
  if (post == Post::failed) fail_of_engine();
  return post == Post::taken || post == Post::done;
}

// Somebody waits for all that has been appended so far: it goes now, and asks for an answer.
void Endpoint::demand(Channel& channel) {
  const bool nothing = !channel.open && channel.waiting.empty() &&
                       (channel.unanswered.empty() || channel.asked == channel.sent);
  if (channel.guessing && !channel.is_idle()) {
    channel.guessing = false;
    if (channel.guess < 3) ++channel.guess;
  }
  if (nothing) return;
  channel.must_ask = true;
  list(channel);
  pump(channel, true);
}

void Endpoint::demand_all() {
  for (size_t i = 0; i < active_.size(); ++i) demand(*active_[i]);
}

// Something begins to be under way there. A quiet takes it out of the list.
void Endpoint::activate(Channel& channel) {
  if (channel.is_active) return;
  channel.is_active = true;
  active_.push_back(&channel);
}

}  // namespace atrium
