// What oshrun and its agents on other hosts say to each other: frames of a kind, with numbers and texts in them.
// SPDX-License-Identifier: BSD-3-Clause
//
//   4 bytes  length of what follows the kind, lowest byte first
//   1 byte   kind
//   then     numbers (8 bytes, lowest first) and texts (their length as a number, then their bytes)
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace atrium {

inline constexpr size_t frame_head_bytes = 5;
inline constexpr size_t longest_frame = size_t{64} << 20;

class FrameWriter {
 public:
  explicit FrameWriter(uint8_t kind) : bytes_(frame_head_bytes, '\0') { bytes_[4] = static_cast<char>(kind); }
  FrameWriter& number(uint64_t value);
  FrameWriter& text(std::string_view value);
  FrameWriter& texts(const std::vector<std::string>& values);
  // The whole frame.
  const std::string& bytes();

 private:
  std::string bytes_;
};

// What comes from elsewhere may be anything: reading past the end gives zeros and empty texts, and ok() says so.
class FrameReader {
 public:
  explicit FrameReader(std::string_view payload) : rest_(payload) {}
  uint64_t number();
  int integer();  // refused where it is none
  std::string text();
  void skip_text() { take(number()); }
  std::vector<std::string> texts();
  // What was read is no such thing.
  void refuse() { ok_ = false; }
  bool ok() const { return ok_; }
  bool at_end() const { return rest_.empty(); }

 private:
  std::string_view take(size_t bytes);

  std::string_view rest_;
  bool ok_ = true;
};

// Finds whole frames in a stream of bytes.
class FrameParser {
 public:
  void add(std::string_view bytes);
  // The next frame; false when there is none yet, or none will ever be (is_broken). `payload` is valid until the next
  // call of any function.
  bool next(uint8_t& kind, std::string_view& payload);
  bool is_broken() const { return broken_; }

 private:
  std::string buffer_;
  size_t done_ = 0;
  bool broken_ = false;
};

}  // namespace atrium
