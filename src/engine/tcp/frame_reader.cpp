// Splits a stream of bytes into frames.
// SPDX-License-Identifier: BSD-3-Clause
#include "engine/tcp/frame_reader.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace atrium {

using Verdict = TcpDestination::Verdict;

std::span<char> TcpFrameReader::direct() const {
  return destination_.at ? std::span<char>(destination_.at, missing_) : std::span<char>();
}

void TcpFrameReader::end_if_complete(TcpFrameSink& sink) {
  if (missing_ != 0) return;
  destination_.at = nullptr;
  sink.end_frame(frame_);
}

void TcpFrameReader::received_directly(size_t bytes, TcpFrameSink& sink) {
  if (bytes == 0) return;
  destination_.at += bytes;
  missing_ -= bytes;
  end_if_complete(sink);
}

size_t TcpFrameReader::take_data(const char* data, size_t bytes, TcpFrameSink& sink) {
  const size_t part = std::min(missing_, bytes);
  if (part == 0) return 0;
  if (destination_.at) std::memcpy(std::exchange(destination_.at, destination_.at + part), data, part);
  missing_ -= part;
  end_if_complete(sink);
  return part;
}

Verdict TcpFrameReader::begin(const char* header, TcpFrameSink& sink) {
  std::memcpy(&frame_, header, sizeof frame_);
  destination_ = sink.begin_frame(frame_);
  if (destination_.verdict != Verdict::take) destination_.at = nullptr;
  if (destination_.verdict > Verdict::skip) return destination_.verdict;
  missing_ = frame_.data_bytes();
  end_if_complete(sink);
  return destination_.verdict;
}

bool TcpFrameReader::take(const char* data, size_t bytes, TcpFrameSink& sink) {
  size_t taken = take_data(data, bytes, sink);
  Verdict verdict = Verdict::take;
  while (bytes - taken >= sizeof frame_ && verdict <= Verdict::skip) {
    verdict = begin(data + taken, sink);
    if (verdict > Verdict::skip) break;
    taken += sizeof frame_;
    taken += take_data(data + taken, bytes - taken, sink);
  }
  is_paused_ = verdict == Verdict::wait;
  kept_.assign(data + taken, bytes - taken);
  return verdict != Verdict::nonsense;
}

bool TcpFrameReader::resume(TcpFrameSink& sink) {
  const std::string again = std::exchange(kept_, {});
  return take(again.data(), again.size(), sink);
}

}  // namespace atrium
