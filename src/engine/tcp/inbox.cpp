// Frames out of a stream of bytes.
// SPDX-License-Identifier: BSD-3-Clause
#include "engine/tcp/inbox.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace atrium {

using Verdict = TcpLanding::Verdict;

std::span<char> TcpInbox::direct() const {
  return landing_.at ? std::span<char>(landing_.at, rest_) : std::span<char>();
}

void TcpInbox::end_if_complete(TcpInboxOwner& owner) {
  if (rest_ != 0) return;
  landing_.at = nullptr;
  owner.is_there(frame_);
}

void TcpInbox::came_directly(size_t bytes, TcpInboxOwner& owner) {
  if (bytes == 0) return;
  landing_.at += bytes;
  rest_ -= bytes;
  end_if_complete(owner);
}

size_t TcpInbox::take_rest(const char* data, size_t bytes, TcpInboxOwner& owner) {
  const size_t part = std::min(rest_, bytes);
  if (part == 0) return 0;
  if (landing_.at) std::memcpy(std::exchange(landing_.at, landing_.at + part), data, part);
  rest_ -= part;
  end_if_complete(owner);
  return part;
}

Verdict TcpInbox::begin(const char* header, TcpInboxOwner& owner) {
  std::memcpy(&frame_, header, sizeof frame_);
  landing_ = owner.begins(frame_);
  if (landing_.verdict != Verdict::take) landing_.at = nullptr;
  if (landing_.verdict > Verdict::skip) return landing_.verdict;
  rest_ = frame_.follow();
  end_if_complete(owner);
  return landing_.verdict;
}

bool TcpInbox::take(const char* data, size_t bytes, TcpInboxOwner& owner) {
  size_t taken = take_rest(data, bytes, owner);
  Verdict verdict = Verdict::take;
  while (bytes - taken >= sizeof frame_ && verdict <= Verdict::skip) {
    verdict = begin(data + taken, owner);
    if (verdict > Verdict::skip) break;
    taken += sizeof frame_;
    taken += take_rest(data + taken, bytes - taken, owner);
  }
  waits_ = verdict == Verdict::wait;
  kept_.assign(data + taken, bytes - taken);
  return verdict != Verdict::nonsense;
}

bool TcpInbox::retry(TcpInboxOwner& owner) {
  const std::string again = std::exchange(kept_, {});
  return take(again.data(), again.size(), owner);
}

}  // namespace atrium
