// Between the wire and the engine: posts what may be sent, passes received messages to the wire, and reports failures.
// SPDX-License-Identifier: BSD-3-Clause
#include <optional>

#include "core/log.hpp"
#include "network/endpoint.hpp"
#include "os/not_cancelled.hpp"
#include "wire/describe.hpp"

namespace atrium {
namespace {

PostOutcome outcome_of(Post post) {
  return post == Post::taken  ? PostOutcome::kept
         : post == Post::done ? PostOutcome::copied
                              : PostOutcome::refused;
}

}  // namespace

// To other processes. An operation is counted as begun before it is sent, so that nobody counts an end before its beginning.
void Endpoint::publish_traffic() {
  liveness_.report_transfers(wire_.newest_transfer(), wire_.oldest_transfer());
  traffic_.set_begun(wire_.begun());
  traffic_.set_ended(wire_.ended() + commands_ended_);
}

// Sends what may be sent now. `push`: also messages that could still gather records.
void Endpoint::send(Channel& channel, bool push) {
  if (!channel.unposted.empty()) {
    const NotCancelled with_lock;
    send_parts(channel);
    publish_traffic();
  }
  while (!has_failed()) {
    Message* const message = wire_.next_message(channel, push);
    if (!message) return;
    const NotCancelled with_lock;
    if (!links_.follows_its_writes(channel, *message))
      return fail_interfered(channel, "it was replaced while data was on its way");
    traffic_.set_begun(wire_.begun());
    const Post post = engine_->send(peers_[channel.index], message->bytes, message->used, message);
    wire_.posted(*message, outcome_of(post));
    if (post == Post::failed) fail_of_engine();
    if (post == Post::later) return;
  }
}

void Endpoint::send_parts(Channel& channel) {
  const RegionKey& region = plan_.addresses[channel.node][channel.slot].region;
  while (!has_failed()) {
    const std::optional<Part> part = wire_.next_part(channel);
    if (!part) return;
    if (!links_.may_transfer(channel, now())) {
      if (links_.is_hopeless(channel, now()))
        fail_interfered(
            channel,
            "no connection of this process ends there: somebody stands between, or translates addresses");
      return;
    }
    Transfer& transfer = *part->transfer;
    const Peer peer = peers_[channel.index];
    const Post post = transfer.is_write
                          ? engine_->write(peer, region, part->place, part->local, part->bytes, &transfer)
                          : engine_->read(peer, region, part->place, part->local, part->bytes, &transfer);
    wire_.posted(*part, outcome_of(post));
    if (post == Post::failed) fail_of_engine();
    if (post == Post::later) return;
  }
}

void Endpoint::send_all() {
  wire_.visit_busy([&](Channel& channel) {
    if (!has_failed()) send(channel, true);
  });
}

void Endpoint::handle(const EngineEvent& event) {
  using Kind = EngineEvent::Kind;
  switch (event.kind) {
    case Kind::received:
      return receive(event.data, event.bytes);
    case Kind::buffer_used:
      static_cast<ReceiveBuffer*>(event.token)->posted = false;
      return post_receives();
    case Kind::sent:
      return wire_.let_go(*static_cast<Message*>(event.token));
    case Kind::written:
    case Kind::read:
      return wire_.part_done(*static_cast<Transfer*>(event.token));
    case Kind::lost:
      return ignore_stranger(
          "a message that could not be received has come from the network, too long or withdrawn; ignored");
    case Kind::failed:
      return fail_of_engine();
  }
}

// What the engine cannot take now is tried again in the next turn.
void Endpoint::post_receives() {
  lacks_receives_ = false;
  for (ReceiveBuffer& buffer : receive_buffers_) {
    if (buffer.posted) continue;
    const Post post = engine_->post_receive(buffer.bytes.get(), receive_buffer_bytes, &buffer);
    if (post == Post::failed) return fail(engine_->last_error());
    buffer.posted = post != Post::later;
    lacks_receives_ |= !buffer.posted;
  }
}

void Endpoint::receive(const char* data, size_t bytes) {
  const Received received = wire_.receive(data, bytes);
  switch (received.kind) {
    case Received::Kind::message:
      return;
    case Received::Kind::stranger:
      return ignore_stranger("a message that does not belong to this job has come from the network; ignored");
    case Received::Kind::gap:
      return fail(Error{"messages from " + name_of(*received.channel, plan_.hosts) + " are missing",
                        "number " + std::to_string(received.number) + " came after number " +
                            std::to_string(received.channel->opened) + note_on_strangers(),
                        "receiving through " + traits().provider,
                        "a look at who uses these hosts and their network: somebody, or the provider, has "
                        "replaced a connection"});
    case Received::Kind::nonsense:
      return fail(Error{"a message from " + name_of(*received.channel, plan_.hosts) + " makes no sense",
                        received.because, "", ""});
  }
}

void Endpoint::wake(int local, uint64_t offset, uint64_t bytes) {
  if (host_.wake) host_.wake(host_.subject, local, offset, bytes);
}

void Endpoint::opened(Channel& channel) {
  auto peer = engine_->insert(plan_.addresses[channel.node][channel.slot].name);
  peers_.push_back(peer ? *peer : Peer{});
  if (!peer) fail(peer.error());
}

void Endpoint::answered(Channel& channel) { silence_.answered(channel); }

bool Endpoint::take_links(Channel& channel, const Record& record) {
  return links_.take(channel, record, now());
}

void Endpoint::ignore_stranger(const char* what) {
  if (strangers_++ == 0 && host_.note) host_.note(host_.subject, what);
}

// For messages about what may be a stranger's work.
std::string Endpoint::note_on_strangers() const {
  if (strangers_ == 0) return "";
  return ", and " + std::to_string(strangers_) + " message" + (strangers_ == 1 ? "" : "s") +
         " came that no PE of this job has sent so: somebody interferes with its connections";
}

// An operation of mine has failed. Where this host's own system has refused something the network has no part in it.
void Endpoint::fail_of_engine() {
  Error error = engine_->last_error();
  if (strangers_ != 0)
    error.because += note_on_strangers();
  else if (error.remedy.empty() && error.number == 0)
    error.because += "; where all PEs live, the network was cut or somebody interferes with it";
  fail(error);
}

void Endpoint::fail_interfered(const Channel& channel, const std::string& because) {
  fail(Error{"the connection to " + name_of(channel, plan_.hosts) + " is not its PE's",
             because + note_on_strangers(), "moving large data between nodes",
             "a look at who uses these hosts and their network, or a network that nobody else can use"});
}

void Endpoint::trace_channels() const {
  if (!host_.trace) return;
  for (const Channel* channel : wire_.channels()) host_.trace(describe(*channel));
}

void Endpoint::fail(Error error) {
  if (failed_.exchange(true)) return;
  trace_channels();
  error.while_doing("talking to other nodes")
      .try_this(remedy_for(error))
      .try_this("atrium-info --fabric on each of the hosts");
  if (host_.fail) host_.fail(host_.subject, error);
}

}  // namespace atrium
