// Counts the receives that were posted before one, among those that are complete and those that are not.
// SPDX-License-Identifier: BSD-3-Clause
#include "race/mpi/receives.hpp"

#include <algorithm>
#include <utility>

namespace atrium::race {
namespace {

uint32_t count_in(const std::unordered_map<uint64_t, uint32_t>& counts, MessageOrigin from) {
  const auto found = counts.find(from.word());
  return found == counts.end() ? 0 : found->second;
}

}  // namespace

PostedReceives::Ticket PostedReceives::post(MessageOrigin from, bool is_probe) {
  Receive made{from, from.source < 0 || from.tag < 0, is_probe, {}, {}};
  for (const Ticket each : beginning_) {
    Receive& other = posted_.at(each);
    if (!other.from.admits(from)) continue;
    if (!other.is_probe) made.beside.push_back(other.from);
    if (!is_probe) other.beside.push_back(from);
  }
  posted_.emplace_hint(posted_.end(), ++last_, std::move(made));
  beginning_.push_back(last_);
  return last_;
}

PostedReceives::Ticket PostedReceives::post(MessageOrigin from) { return post(from, false); }
PostedReceives::Ticket PostedReceives::post_probe(MessageOrigin from) { return post(from, true); }
void PostedReceives::end_posting(Ticket receive) { std::erase(beginning_, receive); }

void PostedReceives::may_be_cancelled(Ticket receive) {
  if (const auto found = posted_.find(receive); found != posted_.end()) found->second.is_open = true;
}

std::optional<uint32_t> PostedReceives::number_at(Receives::const_iterator end, uint32_t behind,
                                                  MessageOrigin from) const {
  uint32_t number = count_in(taken_, from) - behind;
  for (auto each = posted_.begin(); each != end; ++each) {
    if (!each->second.may_take(from)) continue;
    if (each->second.is_open) return {};
    ++number;
  }
  return number;
}

std::optional<uint32_t> PostedReceives::number_of(Ticket receive, MessageOrigin from) const {
  const auto found = posted_.find(receive);
  if (found == posted_.end() || overlaps(receive, from)) return {};
  return number_at(found, count_in(found->second.behind, from), from);
}

std::optional<uint32_t> PostedReceives::next_number(MessageOrigin from) const {
  return number_at(posted_.end(), 0, from);
}

bool PostedReceives::overlaps(Ticket receive, MessageOrigin from) const {
  const auto found = posted_.find(receive);
  return found != posted_.end() && std::any_of(found->second.beside.begin(), found->second.beside.end(),
                                               [from](MessageOrigin each) { return each.admits(from); });
}

std::optional<uint32_t> PostedReceives::first_awaited(MessageOrigin from) const {
  for (const auto& [ticket, receive] : posted_) {
    if (!receive.may_take(from)) continue;
    if (receive.is_open) return {};
    return number_of(ticket, from);
  }
  return next_number(from);
}

void PostedReceives::complete(Ticket receive, MessageOrigin from) {
  const auto found = posted_.find(receive);
  if (found == posted_.end()) return;
  ++taken_[from.word()];
  for (auto each = posted_.begin(); each != found; ++each)
    if (each->second.from.admits(from)) ++each->second.behind[from.word()];
  drop(receive);
}

void PostedReceives::drop(Ticket receive) {
  posted_.erase(receive);
  end_posting(receive);
}

}  // namespace atrium::race
