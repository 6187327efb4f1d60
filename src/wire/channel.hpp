// A channel: from my endpoint to one endpoint of another node, first in, first out.
// SPDX-License-Identifier: BSD-3-Clause
//
// Acknowledgements clock the sending, without a timer. The first records of an idle channel are sent at once; while `gathers_from`
// messages are unanswered, records gather in the open one. A message costs microseconds, a record in it tens of nanoseconds. The last
// message before that asks for an acknowledgement at once, those before it do not: where two nodes send each other messages in turns, as
// in a barrier, the next message of the peer acknowledges them, and asking would double the number of messages.
#pragma once

#include <cstdint>
#include <vector>

#include "wire/channel_seal.hpp"
#include "wire/message.hpp"
#include "wire/pending.hpp"
#include "wire/queue.hpp"
#include "wire/under_way.hpp"
#include "wire/window.hpp"

namespace atrium {

struct Channel;
struct Transfer;

// A message of mine, from its first record until it is acknowledged and the engine has let go of it.
struct Message {
  static constexpr int most_shares = 8;
  struct Share {  // how many of its records a counter waits for
    Pending* pending;
    uint32_t records;
  };

  alignas(16) char bytes[message_room];
  size_t used = sizeof(MessageHeader);
  uint32_t records = 0;
  bool sealed = false;            // once: a message that the engine has refused is posted again as it is
  bool asks = false;              // for an answer at once
  uint32_t acknowledges = 0;      // the last message of the peer's that it acknowledges
  std::vector<Transfer*> landed;  // writes of which it says that they have
  int share_count = 0;
  Share shares[most_shares];
  Channel* channel = nullptr;
  bool with_engine = false;
  bool answered = false;  // or needs no answer
};

// Data too large for a record, which the engine moves in parts.
struct Transfer {
  Channel* channel = nullptr;
  bool is_write = false;
  char* local = nullptr;  // source or destination
  uint64_t number = 0;    // of the channel's writes, or reads
  uint64_t ordinal = 0;   // of the endpoint's transfers
  Pending* pending = nullptr;
  Pending* returns = nullptr;  // counts it until the local memory is free, or filled
  char* copy = nullptr;        // of the source, for a put that has returned
  uint64_t posted = 0;         // bytes that the engine has taken
  uint32_t parts = 1;          // under way, and one until all are
  bool announced = false;      // its landed record is appended
  bool has_landed = false;     // ... and acknowledged
  uint64_t way = 0;            // Channel::way when its first part was posted
  Place place{};
  uint64_t bytes = 0;
  bool has_signal = false;
  Place signal{};
  WordChange signal_change{};
};

// What must have happened on a channel before an operation may begin, as things stood when it was issued.
struct Predecessors {
  uint64_t writes = 0;   // those up to this one have ended
  uint32_t message = 0;  // those up to this one are acknowledged
  uint64_t posted = 0;   // writes up to this one are with the engine
};

struct QueuedOperation;

// Changed by its Wire alone, but for `way`.
struct Channel {
  static constexpr size_t most_waiting = 2;  // full ones not sent yet; with more, appending has to wait
  // Bytes of replies that were requested and have not come, without the last of them: they queue at the peer, which cannot
  // refuse them.
  static constexpr size_t most_awaited = size_t{512} << 10;

  uint32_t node = 0;
  uint16_t endpoint = 0;
  size_t slot = 0;   // of that endpoint among those of its node that talk to mine (wire/counterparts.hpp)
  size_t index = 0;  // among those that are used: 0, 1, ...
  uint64_t way = 0;  // of the network: how often it has verified by which connection the peer is reached
  ChannelSeal seal;
  uint64_t sealed = 0,
           sealed_bare = 0;  // numbers of the last messages that were sealed, with records and without
  uint64_t opened = 0, opened_bare = 0;  // ... and that were opened

  Message* open = nullptr;        // gathers
  Queue<Message*> waiting;        // full
  Queue<Message*> unanswered;     // sent
  Queue<Transfer*> unposted;      // of which the engine has not taken all parts
  uint32_t sent = 0;              // sequence of the last message sent
  uint32_t answered = 0;          // the last one that was acknowledged
  uint32_t asked = 0;             // the last one whose acknowledgement was asked for at once
  uint32_t executed = 0;          // the last one of the peer's that was executed here
  uint32_t acknowledged = 0;      // ... that was acknowledged to the peer
  bool must_acknowledge = false;  // the peer has asked for it, or much is unacknowledged
  bool must_ask = false;          // a thread waits for all that was appended so far
  bool has_replies = false;       // or other records in the open message that are sent at once
  bool refused = false;           // the engine could not take the last message, or part
  bool is_busy = false;           // in the list of those that a turn visits
  bool is_active = false;         // ... and that a quiet visits

  UnderWay writes;  // until their landed records are acknowledged, and the engine has let go of their sources
  UnderWay reads;
  size_t moving = 0;             // writes and reads whose memory here the engine needs
  size_t copies = 0;             // of sources of those writes, in the endpoint's memory
  uint64_t writes_posted = 0;    // those up to this one are with the engine
  uint64_t landing_awaited = 0;  // somebody waits until the writes up to this one have landed
  uint64_t landing_unasked = 0;  // the last one whose landed record went without asking for an answer
  uint64_t fences_seen = 0;      // of the endpoint's
  Predecessors fenced;           // what is before the last of them
  uint32_t stored = 0;           // the last message with a put or change, also one whose old value is wanted
  uint32_t fetches_issued = 0;   // they end in this order
  uint32_t fetches_done = 0;
  size_t awaited = 0;  // bytes of the replies to them
  std::vector<const QueuedOperation*>
      fetchers;  // those that wait until they may fetch, in the order of issue

  // Whether a first record is usually followed by a wait for it: then its message asks at once, and the wait
  // lasts one round trip instead of two.
  int guess = 0;  // 0 .. 3: asks from 2 on
  bool guessing = false;

  uint32_t last_appended() const { return sent + static_cast<uint32_t>(waiting.size()) + (open ? 1 : 0); }
  bool is_answered(uint32_t sequence) const { return static_cast<int32_t>(answered - sequence) >= 0; }
  bool has_executed(const Predecessors& before) const {
    return writes.have_ended(before.writes) && is_answered(before.message) && writes_posted >= before.posted;
  }
  bool is_idle() const { return !open && waiting.empty() && unanswered.empty(); }
  // Nothing of mine is under way, and nothing of the peer's is unacknowledged.
  bool is_quiet() const {
    return is_idle() && writes.is_idle() && reads.is_idle() && fetches_issued == fetches_done &&
           !must_acknowledge;
  }
  // The peer has something to answer. If it is silent, it is slow or cannot be reached.
  bool owes_answer() const {
    return refused || (!unanswered.empty() && static_cast<int32_t>(asked - answered) > 0) ||
           fetches_issued != fetches_done || moving != 0;
  }
};

}  // namespace atrium
