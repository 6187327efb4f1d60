// A value or an Error: how every fallible function inside Atrium answers.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace atrium {

// Decided once where the failure is known, enriched on the way up, printed once.
// The four parts of a message: what failed, because, while doing what, what to try.
struct Error {
  std::string what;
  std::string because;
  std::string during;
  std::string remedy;
  int number = 0;  // errno, where the system refused: then there is always something to try (core/log.hpp)

  Error& while_doing(std::string text) {
    if (during.empty()) during = std::move(text);
    return *this;
  }
  Error& try_this(std::string text) {
    if (remedy.empty()) remedy = std::move(text);
    return *this;
  }
};

// An Error whose `because` is "call: errno text", read at once from errno.
Error system_error(std::string what, const char* call);

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  explicit operator bool() const { return state_.index() == 0; }
  T& operator*() { return *std::get_if<0>(&state_); }
  T* operator->() { return std::get_if<0>(&state_); }
  Error& error() { return *std::get_if<1>(&state_); }

 private:
  std::variant<T, Error> state_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}

  explicit operator bool() const { return !error_; }
  Error& error() { return *error_; }

 private:
  std::optional<Error> error_;
};

}  // namespace atrium
