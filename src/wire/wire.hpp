// The conversation of an endpoint with those of other nodes, as a pure state machine: which messages are sent, and what received
// messages do.
// SPDX-License-Identifier: BSD-3-Clause
//
// Words.      *Node*: the PEs that share one segment. *Endpoint*: one end of a conversation. It can serve all PEs of its node,
//             because it maps them all; so endpoint i of a node has channels to endpoint i mod k of each other node only.
//             *Channel*: from my endpoint to its counterpart. *Message*, *record*: what goes through a channel, and one
//             operation in it (wire/message.hpp). *Acknowledgement*: "executed up to message s", written by the target
//             node's CPU when the data is in memory. Quiet relies on it, never on a network's report alone. *Transfer*:
//             data too large for a record, which a network's write or read moves.
// Use.        It neither waits nor locks, and knows no network, no clock and no thread. Its owner passes received bytes to it, asks
//             it for what may be sent, posts that to a network and reports the outcome. Waiting is up to the owner: it tests the
//             condition again after something has been received.
// Invariants. What is under way is counted: each unanswered message knows whose records it carries. No message is accepted
//             that a peer has not sealed for this endpoint (wire/channel_seal.hpp), and no part of a message is used before it
//             has been checked.
// Ordering.   Records of one channel are executed in order, so a fence costs nothing for them. Transfers have no
//             order; after a fence they and the records wait for each other (wire/operations.cpp).
// Thread safety: none; the caller serialises. Counters (wire/pending.hpp) may be read by any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "wire/channel.hpp"
#include "wire/counterparts.hpp"
#include "wire/node_memory.hpp"
#include "wire/protocol.hpp"

namespace atrium {

// An operation that has been issued and may have to wait before it begins. Until then its address must not change: the list
// of waiting fetches points to it.
struct QueuedOperation {
  Channel* channel;
  Predecessors before;  // as things stood when it was issued
};

// A part of a transfer that may be posted now.
struct Part {
  Transfer* transfer;
  uint64_t place;
  char* local;
  size_t bytes;
};

// The outcome of posting a message, or a part of a transfer, to the engine.
enum class PostOutcome : uint8_t {
  kept,    // the engine still reads it: let_go() or part_done() follows
  copied,  // the engine has a copy, and nothing follows
  refused  // nothing has happened, and it is posted first the next time
};

// What received bytes were.
struct Received {
  enum class Kind : uint8_t { message, stranger, gap, nonsense } kind = Kind::message;
  const Channel* channel = nullptr;  // but of strangers
  uint64_t number = 0;               // gap: of the message that came instead of the next one
  const char* because = "";          // nonsense
};

// What the wire reports to its owner.
class WireOwner {
 public:
  // [offset, offset + bytes) of that PE's memory has changed: threads that sleep on it have to be woken.
  virtual void wake(int local, uint64_t offset, uint64_t bytes) = 0;
  // A channel is used for the first time.
  virtual void opened(Channel& channel) = 0;
  // The peer has acknowledged something, or the network has moved a part for it.
  virtual void answered(Channel& channel) = 0;
  // A record of kind `links`. False: it makes no sense.
  virtual bool take_links(Channel& channel, const Record& record) = 0;

 protected:
  ~WireOwner() = default;
};

struct WirePlan {
  EndpointNumber me{};
  JobSecret secret{};
  const SealMethod* method = nullptr;  // by which all endpoints of the job seal
  std::vector<size_t> endpoints;       // how many each node has
  size_t largest_part = 0;             // bytes of a transfer that a network takes at once
  bool sends_after_writes = false;     // the network keeps messages behind writes (engine/engine.hpp)
  void (*trace)(const std::string& text) =
      nullptr;  // gets every message in words (wire/describe.hpp), if given
};

// What was under way on a channel at some moment.
struct ChannelMark {
  Channel* channel;
  Predecessors before;
  uint64_t reads;
  uint32_t fetches;
  bool is_passed() const;
};

class Wire {
 public:
  Wire(const NodeMemory& memory, WireOwner& owner);
  void connect(const WirePlan& plan);

  Channel& channel_to(int node);
  const std::vector<Channel*>& channels() const { return in_use_; }
  size_t nodes() const { return channels_.size(); }

  // An operation, in three steps: enqueue() decides what it waits for, may_begin() says whether all of that is complete,
  // and begin() makes a record or a transfer of it. Requires: no fence, which is one step.
  QueuedOperation enqueue(const Operation& operation);
  // Whether it is a write after a fence that would wait for the execution of records before the fence.
  bool awaits_records(const Operation& operation);
  bool may_begin(const Request& request, const QueuedOperation& queued);
  void begin(const Request& request, const QueuedOperation& queued);
  void fence() { ++fences_; }

  // So much is under way that records gather in the open message.
  static bool gathers(const Channel& channel) {
    return channel.waiting.empty() && channel.unanswered.size() >= gathers_from;
  }
  // A thread waits for all that has been appended so far: it is sent at the next turn, and asks for an acknowledgement.
  void demand(Channel& channel);
  void demand_all();
  // Asks for an acknowledgement to find out whether the peer is there.
  void ask(Channel& channel);
  // The ends of connections, as bytes of the network's; `detail` is the record's.
  void append_links(Channel& channel, const void* ends, size_t bytes, uint8_t detail);

  // What may be posted, one after the other, and the outcome of each. `push`: also messages that could still gather records.
  Message* next_message(Channel& channel, bool push);
  void posted(Message& message, PostOutcome outcome);
  std::optional<Part> next_part(Channel& channel);
  void posted(const Part& part, PostOutcome outcome);
  void let_go(Message& message);
  void part_done(Transfer& transfer);
  // Calls send(channel) for each channel on which something may be posted.
  template <class Send>
  void visit_busy(Send send);

  // The bytes may come from a stranger.
  Received receive(const char* data, size_t bytes);

  // The number of the newest transfer, and of the oldest one that is under way: 0, where none is.
  uint64_t newest_transfer() const { return transfers_.last_begun(); }
  uint64_t oldest_transfer() const { return transfers_.oldest(); }
  // How many records and transfers have begun here, and how many have ended, which is at the receiver for a record
  // (lobby/traffic.hpp).
  uint64_t begun() const { return begun_; }
  uint64_t ended() const { return ended_; }
  // All requests of peers are answered.
  bool owes_nothing() const;
  uint64_t messages_sent() const { return messages_sent_; }
  size_t messages_kept() const { return messages_.size(); }

 private:
  friend class Quiet;

  struct Fetch {  // an answer that is awaited
    char* dest = nullptr;
    size_t bytes = 0;
    Pending* pending = nullptr;
    Channel* channel = nullptr;
    uint32_t generation = 0;
    bool in_use = false;
  };
  static constexpr uint32_t fetch_index_bits = 12;  // of a token; the others are the generation
  static constexpr uint32_t fetch_index_mask = (1u << fetch_index_bits) - 1;
  static constexpr size_t most_copies = 16;

  // wire.cpp
  Counterparts counterparts(size_t node) const {
    return {plan_.me.endpoint, plan_.endpoints[plan_.me.node], plan_.endpoints[node]};
  }
  Channel& open_channel(uint32_t node, uint16_t endpoint);
  ChannelSeal seal_with(uint32_t node, uint16_t endpoint) const;
  Message* take_message(Channel& channel);
  void give_back(Message& message) { free_messages_.push_back(&message); }
  void list(Channel& channel);
  void activate(Channel& channel);

  // operations.cpp
  void note_fence(Channel& channel);
  void await_landing(Channel& channel, uint64_t writes);
  static void guess(Channel& channel);
  bool may_fetch(Channel& channel, const QueuedOperation& queued) const;
  uint32_t new_fetch(Channel& channel, const Request& request, size_t bytes);
  void append_put(Channel& channel, const Request& put);
  void append_get(Channel& channel, const Request& get);
  void append_fetch(Channel& channel, const Request& fetch);

  // sending.cpp
  char* append(Channel& channel, const RecordHeader& header, size_t payload, Pending* pending);
  void append_change(Channel& channel, const Place& word, const WordChange& change, Pending* pending,
                     uint32_t token, bool answers);
  void append_reply(Channel& channel, uint32_t token, const void* value, size_t bytes);
  void close_open(Channel& channel);
  Message* next_bare(Channel& channel, uint16_t flags);
  static bool awaits_landing(const Channel& channel, const Message& message);
  static void note_unasked(Channel& channel, const Message& message);
  static bool wants_answer(const Channel& channel, const Message& message);
  void seal(Channel& channel, Message& message, uint16_t flags);

  // transfers.cpp
  bool has_copy_left() const { return !free_copies_.empty() || copies_.size() < most_copies; }
  void leave_copy(Transfer& put);
  void give_copy_back(Transfer& put);
  void begin_transfer(Channel& channel, const Request& request);
  void announce(Transfer& transfer);
  void release(Transfer& transfer);
  void end_if_over(Transfer& transfer);

  // receiving.cpp
  Channel* open_message(const char* data, size_t bytes, MessageHeader& header);
  const char* execute_all(Channel& channel, size_t bytes);
  bool execute_one(Channel& channel, const Record& record);
  bool take_reply(Channel& channel, const Record& record);
  bool acknowledge(Channel& channel, uint32_t executed);
  void finish(Message& message);

  const NodeMemory& memory_;
  WireOwner& owner_;
  WirePlan plan_;

  std::vector<std::vector<std::unique_ptr<Channel>>> channels_;  // by node and slot; null: never used
  std::vector<Channel*> in_use_;
  std::vector<Channel*> busy_;
  std::vector<Channel*> active_;  // those that are not quiet, and some that were when the last quiet began
  std::vector<std::unique_ptr<Message>> messages_;
  std::vector<Message*> free_messages_;
  std::vector<Fetch> fetches_;
  std::vector<uint32_t> free_fetches_;
  std::vector<std::unique_ptr<char[]>> copies_;
  std::vector<char*> free_copies_;
  std::vector<std::unique_ptr<Transfer>> transfers_kept_;
  std::vector<Transfer*> free_transfers_;
  std::vector<ChannelMark> free_marks_;    // kept for the next quiet, which then allocates nothing
  alignas(16) char opened_[message_room];  // the message that is being read
  uint64_t fences_ = 0;
  UnderWay transfers_;
  uint64_t begun_ = 0, ended_ = 0;
  uint64_t messages_sent_ = 0;
};

template <class Send>
void Wire::visit_busy(Send send) {
  size_t kept = 0;
  for (size_t i = 0; i < busy_.size(); ++i) {  // sending may list further ones
    Channel& channel = *busy_[i];
    send(channel);
    channel.is_busy = channel.open || !channel.waiting.empty() || !channel.unposted.empty() ||
                      channel.must_ask || channel.must_acknowledge;
    if (channel.is_busy) busy_[kept++] = &channel;
  }
  busy_.resize(kept);
}

// What was under way when a thread began to wait for all of it. Operations that other threads begin later are not waited for,
// because there may be no end of them.
class Quiet {
 public:
  // Of all channels, or until nothing is pending that was counted there.
  explicit Quiet(Wire& wire, const Pending* pending = nullptr);
  // Of those to some nodes.
  Quiet(Wire& wire, const int* nodes, size_t count);
  ~Quiet();
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;

  // All that was appended or posted is executed, and all that was asked for is here.
  bool is_over();
  size_t channels() const { return marks_.size(); }  // that it visits

 private:
  void mark(Channel& channel);

  Wire& wire_;
  const Pending* pending_ = nullptr;
  std::vector<ChannelMark> marks_;
};

}  // namespace atrium
