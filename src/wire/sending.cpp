// Gathers records in messages, and decides when messages are sent, and with which acknowledgements.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstring>

#include "wire/describe.hpp"
#include "wire/wire.hpp"

namespace atrium {
namespace {

// False if the message cannot hold a further counter.
bool count(Message& message, Pending* pending) {
  if (!pending) return true;
  for (int i = message.share_count - 1; i >= 0; --i) {
    if (message.shares[i].pending == pending) return ++message.shares[i].records, true;
  }
  if (message.share_count == Message::most_shares) return false;
  message.shares[message.share_count++] = {pending, 1};
  return true;
}

}  // namespace

// Space for the payload of a new record. Its completion takes it off *pending, where it was counted when it was issued.
char* Wire::append(Channel& channel, const RecordHeader& header, size_t payload, Pending* pending) {
  const size_t bytes = record_bytes(payload);
  if (channel.open && channel.open->used + bytes > records_end) close_open(channel);
  if (channel.open && !count(*channel.open, pending)) close_open(channel);
  if (!channel.open) {
    channel.open = take_message(channel);
    activate(channel);
    count(*channel.open, pending);
  }
  Message& message = *channel.open;
  char* at = message.bytes + message.used;
  std::memcpy(at, &header, sizeof header);
  message.used += bytes;
  ++message.records;
  ++begun_;
  char* room = at + sizeof header;
  if (payload % 8 != 0)
    std::memset(room + payload / 8 * 8, 0, 8);  // so that no old contents of this memory are sent
  return room;
}

void Wire::append_change(Channel& channel, const Place& word, const WordChange& change, Pending* pending,
                         uint32_t token, bool answers) {
  const bool compares = change.op == WordOp::compare_swap;
  const RecordHeader header{RecordKind::change, change_detail(change.op, change.width, answers),
                            static_cast<uint16_t>(word.local), token, word.offset};
  char* payload = append(channel, header, compares ? 16 : 8, pending);
  std::memcpy(payload, &change.operand, 8);
  if (compares) std::memcpy(payload + 8, &change.comparand, 8);
}

void Wire::append_reply(Channel& channel, uint32_t token, const void* value, size_t bytes) {
  const RecordHeader reply{RecordKind::reply, 0, 0, token, bytes};
  std::memcpy(append(channel, reply, bytes, nullptr), value, bytes);
  channel.has_replies = true;
  list(channel);
}

void Wire::append_links(Channel& channel, const void* ends, size_t bytes, uint8_t detail) {
  const RecordHeader header{RecordKind::links, detail, 0, static_cast<uint32_t>(bytes), 0};
  char* room = append(channel, header, bytes, nullptr);
  if (bytes != 0) std::memcpy(room, ends, bytes);
  channel.has_replies = true;  // the message is sent without waiting for further records
  list(channel);
}

void Wire::close_open(Channel& channel) {
  channel.waiting.push_back(channel.open);
  channel.open = nullptr;
  channel.has_replies = false;
  list(channel);
}

Message* Wire::next_message(Channel& channel, bool push) {
  if (channel.unanswered.size() < send_window) {
    const bool open_goes = channel.open && channel.waiting.empty() &&
                           (push || channel.has_replies || channel.unanswered.size() < gathers_from);
    if (open_goes) close_open(channel);
    if (!channel.waiting.empty()) {
      Message& message = *channel.waiting.front();
      if (!message.sealed) {
        const bool asks = wants_answer(channel, message);
        if (!asks) note_unasked(channel, message);
        seal(channel, message, asks ? message_urgent : uint16_t{0});
      }
      return &message;
    }
  }
  if (channel.must_ask && !channel.open && channel.waiting.empty()) {
    if (channel.asked != channel.sent && !channel.unanswered.empty())
      return next_bare(channel, message_urgent);
    channel.must_ask = false;
  }
  if (channel.acknowledged == channel.executed) channel.must_acknowledge = false;
  if (channel.must_acknowledge) return next_bare(channel, 0);
  if (channel.unposted.empty())
    channel.refused = false;  // the answer has come that a refused message asked for
  return nullptr;
}

// A message without records: an acknowledgement, or a request for one.
Message* Wire::next_bare(Channel& channel, uint16_t flags) {
  Message* message = take_message(channel);
  seal(channel, *message, static_cast<uint16_t>(flags | message_bare));
  message->answered = true;
  return message;
}

// A message that says that writes have landed asks at once where something waits for one of them, or a context counts it, whose quiet
// will wait. What a collective writes behind its flag is counted by none: the flags of the others say that it has been read.
bool Wire::awaits_landing(const Channel& channel, const Message& message) {
  return std::any_of(message.landed.begin(), message.landed.end(), [&](const Transfer* landed) {
    return landed->pending || landed->number <= channel.landing_awaited;
  });
}

void Wire::note_unasked(Channel& channel, const Message& message) {
  for (const Transfer* landed : message.landed)
    channel.landing_unasked = std::max(channel.landing_unasked, landed->number);
}

// The last message before records gather must ask: otherwise they would wait for an acknowledgement that the peer does not send.
bool Wire::wants_answer(const Channel& channel, const Message& message) {
  return channel.must_ask || channel.unanswered.size() + 1 >= gathers_from ||
         awaits_landing(channel, message) || (channel.guess >= 2 && message.share_count != 0);
}

void Wire::seal(Channel& channel, Message& message, uint16_t flags) {
  const bool bare = (flags & message_bare) != 0;
  const MessageHeader header{
      plan_.me.node,    plan_.me.endpoint, flags, bare ? ++channel.sealed_bare : ++channel.sealed,
      channel.executed, message.records};
  std::memcpy(message.bytes, &header, sizeof header);
  if (__builtin_expect(plan_.trace != nullptr, 0))
    plan_.trace("to node " + std::to_string(channel.node) + ": " +
                describe_message(message.bytes, message.used));
  channel.seal.seal(message.bytes, message.used);
  message.used += seal_tag_bytes;
  message.sealed = true;
  message.asks = (flags & message_urgent) != 0;
  message.acknowledges = channel.executed;
}

void Wire::posted(Message& message, PostOutcome outcome) {
  Channel& channel = *message.channel;
  const bool is_bare = message.answered;
  channel.refused = outcome == PostOutcome::refused;
  message.with_engine = outcome == PostOutcome::kept;
  if (is_bare && !message.with_engine) give_back(message);
  if (channel.refused) return;
  if (!is_bare) {
    ++channel.sent;
    channel.waiting.pop_front();
    channel.unanswered.push_back(&message);
  }
  ++messages_sent_;
  if (message.asks) channel.asked = channel.sent;
  channel.acknowledged = message.acknowledges;
}

// The network does not need the bytes of the message any longer.
void Wire::let_go(Message& message) {
  message.with_engine = false;
  if (message.answered) give_back(message);
}

void Wire::demand(Channel& channel) {
  channel.landing_awaited = channel.writes.last_begun();
  if (channel.guessing && !channel.is_idle()) {
    channel.guessing = false;
    if (channel.guess < 3) ++channel.guess;
  }
  const bool is_asked = channel.unanswered.empty() || channel.asked == channel.sent;
  if (channel.open || !channel.waiting.empty() || !is_asked) ask(channel);
}

void Wire::demand_all() {
  for (size_t i = 0; i < active_.size(); ++i) demand(*active_[i]);
}

void Wire::ask(Channel& channel) {
  channel.must_ask = true;
  list(channel);
}

}  // namespace atrium
