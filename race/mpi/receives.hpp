// Which message each receive of a communicator takes: the n-th of its sender and tag.
// SPDX-License-Identifier: BSD-3-Clause
//
// Receives take messages in the order in which they were posted, and messages of one sender and tag arrive in the order in which they were
// sent (MPI 4.1, 3.5). So the number of the message that a receive takes is that of the receives posted before it that took one of
// the same sender and tag.
// What a receive with wildcards takes is known when it is complete; until then it is *open*. So is one that may be cancelled. While an
// open receive was posted before another one and might have taken its message, the number of the latter is not known.
// A call of one thread that has returned before a call of another thread begins comes first for the MPI, too, which cannot know whether the
// program relies on that. Of calls that overlap nobody knows which comes first: two receives that began so have no number where they might
// have taken the same message. Those that begin behind both have one.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace atrium::race {

// The sender's rank, or any rank, and a tag, or any tag: negative numbers are any.
struct MessageOrigin {
  int source, tag;
  uint64_t word() const { return static_cast<uint64_t>(source) << 32 | static_cast<uint32_t>(tag); }
  // There may be a message that both ask for.
  bool admits(MessageOrigin other) const {
    return (source < 0 || other.source < 0 || source == other.source) &&
           (tag < 0 || other.tag < 0 || tag == other.tag);
  }
};

// Thread safety: none.
class PostedReceives {
 public:
  using Ticket = uint64_t;  // in the order in which they were posted; 0: of none

  // By a call that begins, and that has returned at end_posting(), complete() or drop().
  Ticket post(MessageOrigin from);
  // The same for a probe, which takes no message: it looks for the one that a receive would take. Ends by drop().
  Ticket post_probe(MessageOrigin from);
  void end_posting(Ticket receive);
  void may_be_cancelled(Ticket receive);
  // Requires of `from` here and below: both are known.
  std::optional<uint32_t> number_of(Ticket receive, MessageOrigin from) const;
  std::optional<uint32_t> next_number(MessageOrigin from) const;  // of a receive that would be posted now
  // Others that began at the same time might have taken this message.
  bool overlaps(Ticket receive, MessageOrigin from) const;
  // It is complete, has taken a message from there, and goes. Or it has taken none.
  void complete(Ticket receive, MessageOrigin from);
  void drop(Ticket receive);

  // A message was received while its number was not known. settle() then calls visit(from, number) when all of that sender and tag below
  // that number have been received and their numbers are known.
  void note_unknown(MessageOrigin from) { unknown_.insert(from.word()); }
  template <class Visit>
  void settle(Visit visit) {
    for (auto each = unknown_.begin(); each != unknown_.end();) {
      const MessageOrigin from{static_cast<int>(*each >> 32), static_cast<int>(*each & 0xffffffffu)};
      const std::optional<uint32_t> number = first_awaited(from);
      if (number) visit(from, *number);
      each = number ? unknown_.erase(each) : std::next(each);
    }
  }

 private:
  struct Receive {
    MessageOrigin from;
    bool is_open, is_probe;
    std::unordered_map<uint64_t, uint32_t>
        behind;                         // complete ones that were posted behind it, by what they took
    std::vector<MessageOrigin> beside;  // what those ask for that began at the same time
    bool may_take(MessageOrigin message) const { return !is_probe && from.admits(message); }
  };
  using Receives = std::map<Ticket, Receive>;
  Ticket post(MessageOrigin from, bool is_probe);
  std::optional<uint32_t> number_at(Receives::const_iterator end, uint32_t behind, MessageOrigin from) const;
  std::optional<uint32_t> first_awaited(MessageOrigin from) const;

  Ticket last_ = 0;
  Receives posted_;
  std::vector<Ticket> beginning_;                 // those whose calls have not returned
  std::unordered_map<uint64_t, uint32_t> taken_;  // by complete ones
  std::unordered_set<uint64_t> unknown_;
};

}  // namespace atrium::race
