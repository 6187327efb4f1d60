// Finds a letter by its message, and the first free place.
// SPDX-License-Identifier: BSD-3-Clause
#include "race/mpi/mailbox.hpp"

#include <algorithm>
#include <mutex>

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

bool Mailbox::leave(const MessageKey& key, const VectorClock& clock) {
  std::lock_guard guard(lock_);
  if (is_closed_) return false;
  if (const uint32_t place = find(key); place != end_) {
    ++envelopes_[place].copies;
    return clocks_[place].merge(clock, lanes_used()), true;
  }
  const uint32_t place = find_free();
  if (place == places) return false;
  end_ = std::max(end_, place + 1);
  envelopes_[place] = {key, 1};
  // Lanes never become fewer: nothing stays of the letter that had this place before.
  return clocks_[place].copy(clock, lanes_used()), true;
}

bool Mailbox::read(const MessageKey& key, Strand& strand, uint64_t origin, bool takes) {
  std::lock_guard guard(lock_);
  const uint32_t place = find(key);
  if (place == end_) return false;
  merge_into(strand, clocks_[place], origin);
  if (takes) --envelopes_[place].copies;
  while (end_ != 0 && envelopes_[end_ - 1].copies == 0) --end_;
  return true;
}

void Mailbox::close() {
  std::lock_guard guard(lock_);
  is_closed_ = true;
  for (uint32_t place = 0; place < end_; ++place) envelopes_[place].copies = 0;
  end_ = 0;
}

}  // namespace atrium::race
