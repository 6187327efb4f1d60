// Opens channels, allocates messages, and knows what a quiet waits for.
// SPDX-License-Identifier: BSD-3-Clause
#include "wire/wire.hpp"

#include <algorithm>

namespace atrium {

Wire::Wire(const NodeMemory& memory, WireOwner& owner) : memory_(memory), owner_(owner) {
  fetches_.resize(size_t{1} << fetch_index_bits);
  for (uint32_t i = 0; i < fetches_.size(); ++i) free_fetches_.push_back(i);
}

void Wire::connect(const WirePlan& plan) {
  plan_ = plan;
  channels_.resize(plan.endpoints.size());
  for (size_t node = 0; node < plan.endpoints.size(); ++node)
    channels_[node].resize(counterparts(node).count());
}

Channel& Wire::channel_to(int node) {
  const auto number = static_cast<size_t>(node);
  const auto& first = channels_[number].front();
  if (first) return *first;
  return open_channel(static_cast<uint32_t>(node), static_cast<uint16_t>(counterparts(number).first()));
}

Channel& Wire::open_channel(uint32_t node, uint16_t endpoint) {
  const size_t slot = counterparts(node).slot(endpoint);
  auto& channel = channels_[node][slot];
  if (channel) return *channel;
  channel = std::make_unique<Channel>();
  channel->node = node;
  channel->endpoint = endpoint;
  channel->slot = slot;
  channel->index = in_use_.size();
  channel->seal = seal_with(node, endpoint);
  in_use_.push_back(channel.get());
  owner_.opened(*channel);
  return *channel;
}

ChannelSeal Wire::seal_with(uint32_t node, uint16_t endpoint) const {
  return {*plan_.method, plan_.secret, plan_.me, {node, endpoint}};
}

Message* Wire::take_message(Channel& channel) {
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

// From now on every turn visits the channel, until nothing is left to do there.
void Wire::list(Channel& channel) {
  activate(channel);
  if (channel.is_busy) return;
  channel.is_busy = true;
  busy_.push_back(&channel);
}

// An operation begins on the channel. A quiet takes the channel out of the list.
void Wire::activate(Channel& channel) {
  if (channel.is_active) return;
  channel.is_active = true;
  active_.push_back(&channel);
}

bool Wire::owes_nothing() const {
  return std::none_of(active_.begin(), active_.end(),
                      [](const Channel* channel) { return channel->must_acknowledge; });
}

Quiet::Quiet(Wire& wire, const Pending* pending)
    : wire_(wire), pending_(pending), marks_(std::move(wire.free_marks_)) {
  std::erase_if(wire.active_, [](Channel* channel) { return !(channel->is_active = !channel->is_quiet()); });
  for (size_t i = 0; i < wire.active_.size(); ++i) mark(*wire.active_[i]);
}

Quiet::Quiet(Wire& wire, const int* nodes, size_t count) : wire_(wire), marks_(std::move(wire.free_marks_)) {
  for (size_t i = 0; i < count; ++i) mark(wire.channel_to(nodes[i]));
}

// Several threads may wait: each has marks of its own, and the last one keeps the memory for the next.
Quiet::~Quiet() {
  marks_.clear();
  wire_.free_marks_ = std::move(marks_);
}

void Quiet::mark(Channel& channel) {
  wire_.demand(channel);
  marks_.push_back({&channel,
                    {channel.writes.last_begun(), channel.last_appended()},
                    channel.reads.last_begun(),
                    channel.fetches_issued});
}

bool ChannelMark::is_passed() const {
  return channel->has_executed(before) && channel->reads.have_ended(reads) &&
         static_cast<int32_t>(channel->fetches_done - fetches) >= 0;
}

bool Quiet::is_over() {
  if (pending_ && is_complete(pending_)) return true;
  while (!marks_.empty() && marks_.back().is_passed()) marks_.pop_back();
  return marks_.empty();
}

}  // namespace atrium
