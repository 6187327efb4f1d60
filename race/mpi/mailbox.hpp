// The letters that senders have left for one rank and that it has not taken: one for each message.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include "interpose/spin_lock.hpp"
#include "race/model/strand.hpp"

namespace atrium::race {

// Which message or collective of a sender a letter belongs to. Communicators of one name are not told apart.
struct MessageKey {
  int32_t from;    // the sender's number on the node
  int32_t tag;     // negative: of a collective
  uint32_t group;  // RanksHere::name; with RanksHere::parts of messages in parts
  uint32_t
      number;  // among the messages of this sender, group and tag; of collectives and plans of messages in parts
  uint32_t start;  // the n-th of a persistent collective or a plan; 0: of others
  static constexpr uint32_t all_messages =
      UINT32_MAX;  // as a number: of a letter that stands for all of them
  MessageKey of_all() const { return {from, tag, group, all_messages, 0}; }
  friend bool operator==(const MessageKey&, const MessageKey&) = default;
};

// Lies in shared memory; zeros are an empty one. Only the letters that were ever used at once take memory.
// Invariants: places from `end` on are free. A free place has no copies. One that is closed for messages has letters of collectives only.
// A letter of all messages says no less than each message of that sender, group and tag that was left here, unless one found no place.
// Thread safety: all of it may be called by several threads of all ranks of the node.
class Mailbox {
 public:
  // False: there is no place left. A letter that is there already says more from then on. Where it is closed, nothing is left, or needed.
  bool leave(const MessageKey& key, const VectorClock& clock);
  // From now on one letter stands for all messages of this sender, group and tag, those that are here and this one; it stays. False: it
  // would say too little.
  bool leave_for_all(const MessageKey& key, const VectorClock& clock);
  // What the letter says is merged into what the strand knows, and the letter goes if it is taken. False: it is not there.
  // The letter, or that of all messages, is there as long as the message has not been taken, unless it found no place.
  bool read(const MessageKey& key, Strand& strand, uint64_t origin, bool takes);
  void drop_before(const MessageKey& key);  // the letters that differ from it by a smaller number only
  void close_for_messages();                // for good

 private:
  static constexpr uint32_t places = 1024;
  struct Envelope {
    MessageKey key;
    uint32_t copies;  // of messages with this key, or parts of one; 0: the place is free
  };
  uint32_t find(const MessageKey& key) const;
  uint32_t find_free() const;
  uint32_t find_or_make(const MessageKey& key, const VectorClock& clock);
  bool is_in_common(const MessageKey& key) const;
  void trim();
  template <class Choose>
  void drop_if(Choose choose);

  interpose::SpinLock lock_;
  uint32_t end_;
  bool is_closed_;
  bool has_lost_;    // a message found no place
  bool has_common_;  // a letter of all messages is here
  Envelope envelopes_[places];
  VectorClock clocks_[places];
};

}  // namespace atrium::race
