// Packs numbers and texts into frames, and finds whole frames in a stream of bytes.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/io/frame.hpp"

namespace atrium {
namespace {

void put_number(std::string& to, size_t at, uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) to[at + static_cast<size_t>(i)] = static_cast<char>(value >> (8 * i));
}

uint64_t get_number(std::string_view from, int bytes) {
  uint64_t value = 0;
  for (int i = 0; i < bytes; ++i)
    value |= uint64_t{static_cast<unsigned char>(from[static_cast<size_t>(i)])} << (8 * i);
  return value;
}

}  // namespace

FrameWriter& FrameWriter::number(uint64_t value) {
  bytes_.resize(bytes_.size() + 8);
  put_number(bytes_, bytes_.size() - 8, value, 8);
  return *this;
}

FrameWriter& FrameWriter::text(std::string_view value) {
  number(value.size());
  bytes_ += value;
  return *this;
}

FrameWriter& FrameWriter::texts(const std::vector<std::string>& values) {
  number(values.size());
  for (const std::string& value : values) text(value);
  return *this;
}

const std::string& FrameWriter::bytes() {
  put_number(bytes_, 0, bytes_.size() - frame_head_bytes, 4);
  return bytes_;
}

std::string_view FrameReader::take(size_t bytes) {
  if (bytes > rest_.size()) {
    ok_ = false;
    rest_ = {};
    return {};
  }
  const std::string_view taken = rest_.substr(0, bytes);
  rest_.remove_prefix(bytes);
  return taken;
}

uint64_t FrameReader::number() {
  const std::string_view bytes = take(8);
  return bytes.empty() ? 0 : get_number(bytes, 8);
}

int FrameReader::integer() {
  const auto value = static_cast<int64_t>(number());
  if (value != static_cast<int>(value)) refuse();
  return ok_ ? static_cast<int>(value) : 0;
}

std::string FrameReader::text() {
  const uint64_t length = number();
  return std::string(take(length));
}

std::vector<std::string> FrameReader::texts() {
  std::vector<std::string> values;
  for (uint64_t left = number(); left > 0 && ok_; --left) values.push_back(text());
  return values;
}

void FrameParser::add(std::string_view bytes) {
  buffer_.erase(0, done_);
  done_ = 0;
  buffer_ += bytes;
}

bool FrameParser::next(uint8_t& kind, std::string_view& payload) {
  const std::string_view rest = std::string_view(buffer_).substr(done_);
  if (broken_ || rest.size() < frame_head_bytes) return false;
  const size_t length = get_number(rest, 4);
  broken_ = length > longest_frame;
  if (broken_ || rest.size() - frame_head_bytes < length) return false;
  kind = static_cast<uint8_t>(rest[4]);
  payload = rest.substr(frame_head_bytes, length);
  done_ += frame_head_bytes + length;
  return true;
}

}  // namespace atrium
