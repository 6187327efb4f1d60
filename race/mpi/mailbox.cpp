// Finds a letter by its message, and the first free place.
// SPDX-License-Identifier: BSD-3-Clause
#include "race/mpi/mailbox.hpp"

#include <algorithm>
#include <mutex>
#include <utility>

namespace atrium::race {

uint32_t Mailbox::find(const MessageKey& key) const {
  const auto* const found = std::find_if(envelopes_, envelopes_ + end_, [&key](const Envelope& each) {
    return each.copies != 0 && each.key == key;
  });
  return static_cast<uint32_t>(found - envelopes_);
}

uint32_t Mailbox::find_free() const {
  const auto* const found =
      std::find_if(envelopes_, envelopes_ + end_, [](const Envelope& each) { return each.copies == 0; });
  return static_cast<uint32_t>(found - envelopes_);
}

// `places`: there is none left.
uint32_t Mailbox::find_or_make(const MessageKey& key, const VectorClock& clock) {
  if (const uint32_t place = find(key); place != end_) {
    ++envelopes_[place].copies;
    clocks_[place].merge(clock, lanes_used());
    return place;
  }
  const uint32_t place = find_free();
  if (place == places) return places;
  end_ = std::max(end_, place + 1);
  envelopes_[place] = {key, 1};
  // Lanes never become fewer: nothing stays of the letter that had this place before.
  clocks_[place].copy(clock, lanes_used());
  return place;
}

void Mailbox::trim() {
  while (end_ != 0 && envelopes_[end_ - 1].copies == 0) --end_;
}

// The letter of all messages stands for this one. Communicators of one name share it.
bool Mailbox::is_in_common(const MessageKey& key) const {
  return has_common_ && !has_lost_ && key.tag >= 0 && key.start == 0 && find(key.of_all()) != end_;
}

bool Mailbox::leave(const MessageKey& key, const VectorClock& clock) {
  std::lock_guard guard(lock_);
  if (is_closed_ && key.tag >= 0) return true;
  if (find_or_make(is_in_common(key) ? key.of_all() : key, clock) != places) return true;
  has_lost_ |= key.tag >= 0;
  return false;
}

bool Mailbox::leave_for_all(const MessageKey& key, const VectorClock& clock) {
  std::lock_guard guard(lock_);
  if (is_closed_) return true;
  const uint32_t all = has_lost_ ? places : find_or_make(key.of_all(), clock);
  if (all == places) return has_lost_ = true, false;
  has_common_ = true;
  for (uint32_t place = 0; place < end_; ++place) {
    Envelope& each = envelopes_[place];
    if (place == all || each.copies == 0 || each.key.of_all() != key.of_all() || each.key.start != 0)
      continue;
    clocks_[all].merge(clocks_[place], lanes_used());
    each.copies = 0;
  }
  trim();
  return true;
}

bool Mailbox::read(const MessageKey& key, Strand& strand, uint64_t origin, bool takes) {
  std::lock_guard guard(lock_);
  uint32_t place = find(key);
  if (place == end_ && is_in_common(key)) place = find(key.of_all()), takes = false;
  if (place == end_) return false;
  merge_into(strand, clocks_[place], origin);
  if (takes) envelopes_[place].copies = key.start != 0 ? 0 : envelopes_[place].copies - 1;
  trim();
  return true;
}

template <class Choose>
void Mailbox::drop_if(Choose choose) {
  std::lock_guard guard(lock_);
  for (uint32_t place = 0; place < end_; ++place)
    if (choose(envelopes_[place].key)) envelopes_[place].copies = 0;
  trim();
}

void Mailbox::drop_before(const MessageKey& key) {
  drop_if([&key](MessageKey each) {
    const uint32_t number = std::exchange(each.number, key.number);
    return each == key && number < key.number;
  });
}

void Mailbox::close_for_messages() {
  {
    std::lock_guard guard(lock_);
    is_closed_ = true;
  }
  drop_if([](const MessageKey& each) { return each.tag >= 0; });
}

}  // namespace atrium::race
