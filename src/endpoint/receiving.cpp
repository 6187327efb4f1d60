// What comes in: messages are checked and executed, acknowledgements complete what was issued.
// SPDX-License-Identifier: BSD-3-Clause
#include <cstring>

#include "endpoint/endpoint.hpp"
#include "endpoint/pending.hpp"

namespace atrium {

void Endpoint::handle(const EngineEvent& event) {
  using Kind = EngineEvent::Kind;
  switch (event.kind) {
    case Kind::received:
      return receive(event.data, event.bytes);
    case Kind::buffer_used:
      static_cast<ReceiveBuffer*>(event.token)->posted = false;
      return post_receives();
    case Kind::sent: {
      auto* message = static_cast<Message*>(event.token);
      message->with_engine = false;
      if (message->answered) give_back(message);
      return;
    }
    case Kind::written:
    case Kind::read:
      return part_done(*static_cast<Transfer*>(event.token));
    case Kind::lost:
      return ignore_stranger(
          "a message that could not be received has come from the network, too long or withdrawn; ignored");
    case Kind::failed:
      return fail_of_engine();
  }
}

void Endpoint::post_receives() {
  for (ReceiveBuffer& buffer : receive_buffers_) {
    if (buffer.posted) continue;
    const Post post = engine_->post_receive(buffer.bytes.get(), receive_buffer_bytes, &buffer);
    if (post == Post::failed) return fail(engine_->last_error());
    buffer.posted = post != Post::later;
  }
}

// Anybody who reaches the port may have sent these bytes: what the peer has not sealed for me, or has been here before, is as if
// it had not come. They are looked at where nobody can change them any more: a network may write into receive buffers. Null:
// they are nobody's.
Channel* Endpoint::open_message(const char* data, size_t bytes, MessageHeader& header) {
  if (!RecordReader::read_header(data, bytes, header)) return nullptr;
  const bool exists = header.node < channels_.size() && header.node != static_cast<uint32_t>(plan_.node) &&
                      header.endpoint < channels_[header.node].size();
  if (!exists) return nullptr;
  std::memcpy(opened_, data, bytes);
  // A stranger's word makes no channel.
  const Channel* known = channels_[header.node][header.endpoint].get();
  const bool is_sealed =
      known ? known->seal.open(opened_, bytes) : seal_with(header.node, header.endpoint).open(opened_, bytes);
  if (!is_sealed) return nullptr;
  std::memcpy(&header, opened_, sizeof header);
  Channel* channel = channel_of(header.node, header.endpoint);
  if (!channel) return nullptr;
  const bool is_bare = (header.flags & message_bare) != 0;
  return header.number > (is_bare ? channel->opened_bare : channel->opened) ? channel : nullptr;
}

void Endpoint::ignore_stranger(const char* what) {
  if (strangers_++ == 0 && host_.note) host_.note(host_.subject, what);
}

// For messages about what may be a stranger's work.
std::string Endpoint::remark_on_strangers() const {
  if (strangers_ == 0) return "";
  return ", and " + std::to_string(strangers_) + " message" + (strangers_ == 1 ? "" : "s") +
         " came that no PE of this job has sent so: somebody interferes with its connections";
}

void Endpoint::receive(const char* data, size_t bytes) {
  MessageHeader header;
  Channel* channel = open_message(data, bytes, header);
  if (has_failed()) return;
  if (!channel)
    return ignore_stranger("a message that does not belong to this job has come from the network; ignored");
  if ((header.flags & message_bare) != 0)
    channel->opened_bare = header.number;
  else if (header.number != channel->opened + 1)
    return say_missing(*channel, header.number);
  if (!acknowledge(*channel, header.executed)) {
    return fail(Error{"a message from " + host_of(*channel) + " makes no sense",
                      "it acknowledges what was never sent", "", ""});
  }
  if ((header.flags & message_bare) == 0) {
    channel->opened = header.number;
    execute_all(*channel, opened_, bytes - seal_tag_bytes);
    ++channel->executed;
  }
  const bool asked = (header.flags & message_urgent) != 0 || channel->executed - channel->told >= 64;
  if (asked && channel->executed != channel->told) {
    channel->must_tell = true;
    list(*channel);
  }
}

// An operation of mine has come to nothing.
void Endpoint::fail_of_engine() {
  Error error = engine_->last_error();
  error.because += strangers_ != 0
                       ? remark_on_strangers()
                       : "; where all PEs live, the network was cut or somebody interferes with it";
  fail(error);
}

// The engine loses nothing while a connection lasts.
void Endpoint::say_missing(const Channel& channel, uint64_t number) {
  fail(Error{"messages from " + host_of(channel) + " are missing",
             "number " + std::to_string(number) + " came after number " + std::to_string(channel.opened) +
                 remark_on_strangers(),
             "receiving through " + traits().provider,
             "a look at who uses these hosts and their network: somebody, or the provider, has replaced a "
             "connection"});
}

void Endpoint::execute_all(Channel& channel, const char* data, size_t bytes) {
  RecordReader reader(data, bytes);
  Record record;
  while (reader.next(record)) {
    if (!execute_one(channel, record)) {
      return fail(Error{"a message from " + host_of(channel) + " makes no sense",
                        "it reaches for memory outside the symmetric heap and globals", "", ""});
    }
    traffic_.end();
  }
  if (reader.broken())
    fail(Error{"a message from " + host_of(channel) + " makes no sense", "its records are broken", "", ""});
}

bool Endpoint::execute_one(Channel& channel, const Record& record) {
  const RecordHeader& header = record.header;
  if (header.kind == RecordKind::reply) return take_reply(channel, record);
  if (header.kind == RecordKind::links) return take_links(channel, record);
  if (header.kind == RecordKind::get) {
    char value[largest_reply];
    size_t bytes = 0;
    if (!fetch_for(memory_, record, value, bytes)) return false;
    const RecordHeader reply{RecordKind::reply, 0, 0, header.token, bytes};
    std::memcpy(append(channel, reply, bytes, nullptr), value, bytes);
    channel.has_replies = true;
    list(channel);
    return true;
  }
  const Outcome outcome = execute(memory_, record);
  if (outcome.executed == Executed::refused) return false;
  if (outcome.executed == Executed::changed && host_.wake)
    host_.wake(host_.subject, header.local, header.place, outcome.changed_bytes);
  if (header.kind == RecordKind::change && answers(header.detail)) {
    const size_t bytes = width_of(header.detail);
    const RecordHeader reply{RecordKind::reply, 0, 0, header.token, bytes};
    std::memcpy(append(channel, reply, bytes, nullptr), &outcome.value, bytes);
    channel.has_replies = true;
    list(channel);
  }
  return true;
}

// The token must name a fetch that waits for just such an answer from there.
bool Endpoint::take_reply(Channel& channel, const Record& record) {
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

// The peer's CPU has executed my messages up to this one: what they carried is complete.
bool Endpoint::acknowledge(Channel& channel, uint32_t executed) {
  const uint32_t news = executed - channel.answered;
  if (news == 0) return true;
  if (news > channel.unanswered.size()) return false;
  for (uint32_t i = 0; i < news; ++i) {
    Message* message = channel.unanswered.front();
    channel.unanswered.pop_front();
    finish(*message);
  }
  // Marks of long ago follow, so that the numbers may wrap around.
  for (uint32_t* mark : {&channel.fenced.message, &channel.stored, &channel.asked}) {
    if (*mark == channel.answered || executed - *mark < news) *mark = executed;
  }
  channel.answered = executed;
  heard(channel);
  if (channel.open || !channel.waiting.empty()) list(channel);
  return true;
}

void Endpoint::finish(Message& message) {
  for (int i = 0; i < message.share_count; ++i)
    complete(message.shares[i].pending, message.shares[i].records);
  for (const Message::Landed& landed : message.landed) {
    message.channel->writes.end(landed.write);
    end_transfer(landed.transfer);
  }
  message.answered = true;
  if (!message.with_engine) give_back(&message);
}

std::string Endpoint::host_of(const Channel& channel) const {
  return channel.node < plan_.hosts.size() ? plan_.hosts[channel.node]
                                           : "node " + std::to_string(channel.node);
}

void Endpoint::fail(Error error) {
  if (failed_.exchange(true)) return;
  error.while_doing("talking to other nodes").try_this("atrium-info --fabric on each of the hosts");
  if (host_.fail) host_.fail(host_.subject, error);
}

}  // namespace atrium
