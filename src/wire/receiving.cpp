// Receives messages: checks and executes their records; their acknowledgements complete what was issued.
// SPDX-License-Identifier: BSD-3-Clause
#include <cstring>

#include "wire/describe.hpp"
#include "wire/wire.hpp"

namespace atrium {
namespace {

constexpr uint32_t most_unacknowledged = 64;  // messages, before they are acknowledged unasked

}  // namespace

// Whoever reaches the port may have sent these bytes: a message that the peer has not sealed for this endpoint, or that was received
// before, is ignored. They are copied before they are checked, because a network may still write into receive buffers. Null: they
// are ignored.
Channel* Wire::open_message(const char* data, size_t bytes, MessageHeader& header) {
  if (!RecordReader::read_header(data, bytes, header)) return nullptr;
  const bool talks_to_me = header.node < channels_.size() && header.node != plan_.me.node &&
                           counterparts(header.node).contains(header.endpoint);
  if (!talks_to_me) return nullptr;
  std::memcpy(opened_, data, bytes);
  // A message of a stranger must not open a channel.
  const Channel* known = channels_[header.node][counterparts(header.node).slot(header.endpoint)].get();
  const bool is_sealed =
      known ? known->seal.open(opened_, bytes) : seal_with(header.node, header.endpoint).open(opened_, bytes);
  if (!is_sealed) return nullptr;
  std::memcpy(&header, opened_, sizeof header);
  Channel& channel = open_channel(header.node, header.endpoint);
  const bool is_bare = (header.flags & message_bare) != 0;
  return header.number > (is_bare ? channel.opened_bare : channel.opened) ? &channel : nullptr;
}

Received Wire::receive(const char* data, size_t bytes) {
  using Kind = Received::Kind;
  MessageHeader header;
  Channel* const channel = open_message(data, bytes, header);
  if (!channel) return {Kind::stranger};
  if (__builtin_expect(plan_.trace != nullptr, 0))
    plan_.trace("has come: " + describe_message(opened_, bytes - seal_tag_bytes));
  const bool is_bare = (header.flags & message_bare) != 0;
  if (is_bare)
    channel->opened_bare = header.number;
  else if (header.number != channel->opened + 1)  // a network loses no message while a connection lasts
    return {Kind::gap, channel, header.number};
  if (!acknowledge(*channel, header.executed))
    return {Kind::nonsense, channel, 0, "it acknowledges what was never sent"};
  if (!is_bare) {
    channel->opened = header.number;
    if (const char* because = execute_all(*channel, bytes - seal_tag_bytes))
      return {Kind::nonsense, channel, 0, because};
    ++channel->executed;
  }
  const uint32_t unacknowledged = channel->executed - channel->acknowledged;
  if (unacknowledged != 0 &&
      ((header.flags & message_urgent) != 0 || unacknowledged >= most_unacknowledged)) {
    channel->must_acknowledge = true;
    list(*channel);
  }
  return {Kind::message, channel};
}

// Executes the records. Returns why they make no sense, or null.
const char* Wire::execute_all(Channel& channel, size_t bytes) {
  RecordReader reader(opened_, bytes);
  Record record;
  while (reader.next(record)) {
    if (!execute_one(channel, record)) return "it reaches for memory outside the symmetric heap and globals";
    ++ended_;
  }
  return reader.broken() ? "its records are broken" : nullptr;
}

bool Wire::execute_one(Channel& channel, const Record& record) {
  const RecordHeader& header = record.header;
  if (header.kind == RecordKind::reply) return take_reply(channel, record);
  if (header.kind == RecordKind::links) return owner_.take_links(channel, record);
  if (header.kind == RecordKind::get) {
    char value[largest_reply];
    size_t bytes = 0;
    if (!fetch_for(memory_, record, value, bytes)) return false;
    append_reply(channel, header.token, value, bytes);
    return true;
  }
  const Outcome outcome = execute(memory_, record);
  if (outcome.executed == Executed::refused) return false;
  if (outcome.executed == Executed::changed) owner_.wake(header.local, header.place, outcome.changed_bytes);
  if (header.kind == RecordKind::change && answers(header.detail))
    append_reply(channel, header.token, &outcome.value, width_of(header.detail));
  return true;
}

// The token must name a fetch that waits for just such an answer from there.
bool Wire::take_reply(Channel& channel, const Record& record) {
  const uint32_t index = record.header.token & fetch_index_mask;
  if (index >= fetches_.size()) return false;
  Fetch& fetch = fetches_[index];
  const bool expected = fetch.in_use && fetch.channel == &channel && fetch.bytes == record.bytes &&
                        (fetch.generation << fetch_index_bits | index) == record.header.token;
  if (!expected) return false;
  std::memcpy(fetch.dest, record.payload, record.bytes);
  fetch.in_use = false;
  ++fetch.generation;
  free_fetches_.push_back(index);
  ++channel.fetches_done;
  channel.awaited -= record_bytes(fetch.bytes);
  complete(fetch.pending);
  return true;
}

// The peer's CPU has executed my messages up to this one: the operations in them are complete.
bool Wire::acknowledge(Channel& channel, uint32_t executed) {
  const uint32_t news = executed - channel.answered;
  if (news == 0) return true;
  if (news > channel.unanswered.size()) return false;
  for (uint32_t i = 0; i < news; ++i) {
    Message* message = channel.unanswered.front();
    channel.unanswered.pop_front();
    finish(*message);
  }
  // Old marks are moved along, so that the numbers may wrap around.
  for (uint32_t* mark : {&channel.fenced.message, &channel.stored, &channel.asked}) {
    if (*mark == channel.answered || executed - *mark < news) *mark = executed;
  }
  channel.answered = executed;
  owner_.answered(channel);
  if (channel.open || !channel.waiting.empty()) list(channel);
  return true;
}

void Wire::finish(Message& message) {
  for (int i = 0; i < message.share_count; ++i)
    complete(message.shares[i].pending, message.shares[i].records);
  for (Transfer* landed : message.landed) {
    landed->has_landed = true;
    end_if_over(*landed);
  }
  message.answered = true;
  if (!message.with_engine) give_back(message);
}

}  // namespace atrium
