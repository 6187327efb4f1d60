// The messages between oshrun and its agents on other hosts: frames of a kind, which contain numbers and texts.
// SPDX-License-Identifier: BSD-3-Clause
//
//   4 bytes  length of what follows the kind, lowest byte first
//   1 byte   kind
//   then     numbers and texts (base/atrium_packing.hpp)
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "atrium_packing.hpp"

namespace atrium {

inline constexpr size_t frame_head_bytes = 5;
inline constexpr size_t longest_frame = size_t{64} << 20;

class FrameWriter : public Packer<FrameWriter> {
 public:
  explicit FrameWriter(uint8_t kind) : Packer(std::string(frame_head_bytes, '\0')) {
    packed_[4] = static_cast<char>(kind);
  }
  // The whole frame.
  const std::string& bytes();
};

using FrameReader = Unpacker;  // of a frame's payload

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
