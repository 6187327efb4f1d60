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
  friend bool operator==(const MessageKey&, const MessageKey&) = default;
};

// Lies in shared memory; zeros are an empty one. Only the letters that were ever used at once take memory.
// Invariants: places from `end` on are free. A free place has no copies. One that is closed for messages has letters of collectives only.
// Thread safety: all of it may be called by several threads of all ranks of the node.
class Mailbox {
 public:
  // False: there is no place left, or it is closed. A letter that is there already says more from then on.
  bool leave(const MessageKey& key, const VectorClock& clock);
  // What the letter says is merged into what the strand knows, and the letter goes if it is taken. False: it is not there.
  // The letter is there as long as the message has not been taken, unless it found no place.
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
  template <class Choose>
  void drop_if(Choose choose);

  interpose::SpinLock lock_;
  uint32_t end_;
  bool is_closed_;
  Envelope envelopes_[places];
  VectorClock clocks_[places];
};

}  // namespace atrium::race
