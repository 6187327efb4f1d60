// Numbers and texts as bytes that another process or machine reads.
// SPDX-License-Identifier: BSD-3-Clause
//
// A number takes 8 bytes, the lowest first; a text its length as a number, then its bytes; a list its length, then its texts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace atrium {

inline void put_number(char* to, uint64_t value, size_t bytes) {
  for (size_t i = 0; i < bytes; ++i) to[i] = static_cast<char>(value >> (8 * i));
}

inline uint64_t get_number(const char* from, size_t bytes) {
  uint64_t value = 0;
  for (size_t i = 0; i < bytes; ++i) value |= uint64_t{static_cast<unsigned char>(from[i])} << (8 * i);
  return value;
}

// `Self` is what is packed: each call answers it, so that calls can follow each other.
template <class Self>
class Packer {
 public:
  Self& number(uint64_t value) {
    packed_.resize(packed_.size() + 8);
    put_number(&packed_[packed_.size() - 8], value, 8);
    return static_cast<Self&>(*this);
  }
  Self& text(std::string_view value) {
    number(value.size());
    packed_ += value;
    return static_cast<Self&>(*this);
  }
  Self& texts(const std::vector<std::string>& values) {
    number(values.size());
    for (const std::string& value : values) text(value);
    return static_cast<Self&>(*this);
  }

 protected:
  explicit Packer(std::string head = {}) : packed_(std::move(head)) {}

  std::string packed_;
};

class PackedText : public Packer<PackedText> {
 public:
  std::string take() { return std::move(packed_); }
};

// What comes from elsewhere may be anything: reading past the end gives zeros and empty texts, and ok() says so.
class Unpacker {
 public:
  explicit Unpacker(std::string_view packed) : rest_(packed) {}

  uint64_t number() {
    const std::string_view bytes = take(8);
    return bytes.empty() ? 0 : get_number(bytes.data(), 8);
  }
  int integer() {  // refused where it is none
    const auto value = static_cast<int64_t>(number());
    if (value != static_cast<int>(value)) refuse();
    return ok_ ? static_cast<int>(value) : 0;
  }
  std::string text() { return std::string(take(number())); }
  void skip_text() { take(number()); }
  std::vector<std::string> texts() {
    std::vector<std::string> values;
    for (uint64_t left = number(); left > 0 && ok_; --left) values.push_back(text());
    return values;
  }

  // What was read is no such thing.
  void refuse() { ok_ = false; }
  bool ok() const { return ok_; }
  bool at_end() const { return rest_.empty(); }

 private:
  std::string_view take(uint64_t bytes) {
    if (bytes > rest_.size()) {
      ok_ = false;
      rest_ = {};
      return {};
    }
    const std::string_view taken = rest_.substr(0, bytes);
    rest_.remove_prefix(bytes);
    return taken;
  }

  std::string_view rest_;
  bool ok_ = true;
};

}  // namespace atrium
