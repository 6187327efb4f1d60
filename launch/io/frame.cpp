// Completes frames with their length, and finds whole frames in a stream of bytes.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/io/frame.hpp"

namespace atrium {

const std::string& FrameWriter::bytes() {
  put_number(packed_.data(), packed_.size() - frame_head_bytes, 4);
  return packed_;
}

void FrameParser::add(std::string_view bytes) {
  buffer_.erase(0, done_);
  done_ = 0;
  buffer_ += bytes;
}

bool FrameParser::next(uint8_t& kind, std::string_view& payload) {
  const std::string_view rest = std::string_view(buffer_).substr(done_);
  if (broken_ || rest.size() < frame_head_bytes) return false;
  const size_t length = get_number(rest.data(), 4);
  broken_ = length > longest_frame;
  if (broken_ || rest.size() - frame_head_bytes < length) return false;
  kind = static_cast<uint8_t>(rest[4]);
  payload = rest.substr(frame_head_bytes, length);
  done_ += frame_head_bytes + length;
  return true;
}

}  // namespace atrium
