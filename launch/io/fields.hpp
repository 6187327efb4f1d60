// How structures become numbers and texts in a frame: field by field, in the order of the list that each structure has.
// SPDX-License-Identifier: BSD-3-Clause
//
// `fields<T>` is that list. What is read has values of the fields' types, and is_sound(T) says what else it has to be, where there is such
// a function; any other frame is refused.
#pragma once

#include <concepts>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "launch/io/frame.hpp"

namespace atrium {

struct NoFields {};
template <class T>
inline constexpr NoFields fields{};

template <class T>
concept Structure = !std::same_as<std::remove_cv_t<decltype(fields<T>)>, NoFields>;
template <class T>
concept Number = std::is_integral_v<T> || std::is_enum_v<T>;

template <Number T>
void put(FrameWriter& frame, T number) {
  frame.number(static_cast<uint64_t>(number));
}
template <Number T>
void take(FrameReader& frame, T& number) {
  const uint64_t value = frame.number();
  number = static_cast<T>(value);
  if (static_cast<uint64_t>(number) != value) frame.refuse();
}

inline void put(FrameWriter& frame, const std::string& text) { frame.text(text); }
inline void take(FrameReader& frame, std::string& text) { text = frame.text(); }

template <size_t N>
void put(FrameWriter& frame, const char (&text)[N]) {
  frame.text(text);
}
template <size_t N>
void take(FrameReader& frame, char (&text)[N]) {
  const std::string value = frame.text();
  if (value.size() >= N || value.find('\0') != std::string::npos) return frame.refuse();
  std::memcpy(text, value.c_str(), value.size() + 1);
}

template <Structure T>
void put(FrameWriter& frame, const T& structure) {
  std::apply([&](auto... field) { (put(frame, structure.*field), ...); }, fields<T>);
}
template <Structure T>
void take(FrameReader& frame, T& structure) {
  std::apply([&](auto... field) { (take(frame, structure.*field), ...); }, fields<T>);
  if constexpr (requires { is_sound(structure); })
    if (!is_sound(structure)) frame.refuse();
}

template <class T>
void put(FrameWriter& frame, const std::optional<T>& value) {
  put(frame, value.has_value());
  if (value) put(frame, *value);
}
template <class T>
void take(FrameReader& frame, std::optional<T>& value) {
  bool is_there = false;
  take(frame, is_there);
  if (is_there) take(frame, value.emplace());
}

template <class T>
void put(FrameWriter& frame, const std::vector<T>& list) {
  put(frame, list.size());
  for (const T& each : list) put(frame, each);
}
template <class T>
void take(FrameReader& frame, std::vector<T>& list) {
  for (uint64_t left = frame.number(); left > 0 && frame.ok(); --left) take(frame, list.emplace_back());
}

template <class Key, class T>
void put(FrameWriter& frame, const std::map<Key, T>& map) {
  put(frame, map.size());
  for (const auto& [key, value] : map) put(frame, key), put(frame, value);
}
template <class Key, class T>
void take(FrameReader& frame, std::map<Key, T>& map) {
  for (uint64_t left = frame.number(); left > 0 && frame.ok(); --left) {
    Key key{};
    take(frame, key);
    const auto [place, is_new] = map.try_emplace(key);
    is_new ? take(frame, place->second) : frame.refuse();  // reported twice
  }
}

template <class T>
T taken(FrameReader& frame) {
  T value{};
  take(frame, value);
  return value;
}

}  // namespace atrium
