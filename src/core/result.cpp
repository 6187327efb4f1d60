// Completes errors with their cause and their context, out of line.
// SPDX-License-Identifier: BSD-3-Clause
#include "core/result.hpp"

namespace atrium {

Error::Error() = default;
Error::Error(std::string_view what, std::string_view because, std::string_view during,
             std::string_view remedy, int number)
    : what(what), because(because), during(during), remedy(remedy), number(number) {}
Error::Error(const Error&) = default;
Error::Error(Error&&) noexcept = default;
Error& Error::operator=(const Error&) = default;
Error& Error::operator=(Error&&) noexcept = default;
Error::~Error() = default;

Error& Error::while_doing(std::string_view text) {
  if (during.empty()) during = text;
  return *this;
}
Error& Error::try_this(std::string_view text) {
  if (remedy.empty()) remedy = text;
  return *this;
}

}  // namespace atrium
