// A value or an Error: how every fallible function inside Atrium answers.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace atrium {

// Decided once where the failure is known, enriched on the way up, printed once.
// The four parts of a message: what failed, because, while doing what, what to try.
// What happens to it is out of the way of what does not fail, and out of line: it is made in a thousand places.
struct Error {
  std::string what;
  std::string because;
  std::string during;
  std::string remedy;
  int number = 0;  // errno, where the system refused: then there is always something to try (core/log.hpp)

  [[gnu::cold]] Error();
  [[gnu::cold]] Error(std::string_view what, std::string_view because = {}, std::string_view during = {},
                      std::string_view remedy = {}, int number = 0);
  [[gnu::cold]] Error(const Error&);
  [[gnu::cold]] Error(Error&&) noexcept;
  [[gnu::cold]] Error& operator=(const Error&);
  [[gnu::cold]] Error& operator=(Error&&) noexcept;
  [[gnu::cold]] ~Error();

  // Where nothing was said yet.
  [[gnu::cold]] Error& while_doing(std::string_view text);
  [[gnu::cold]] Error& try_this(std::string_view text);
};

// An Error whose `because` is "call: errno text", read at once from errno.
[[gnu::cold]] Error system_error(std::string_view what, const char* call);

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
