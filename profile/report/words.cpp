// Formats times, bytes, counts and shares with three significant digits.
// SPDX-License-Identifier: BSD-3-Clause
#include "profile/report/words.hpp"

#include <cstdio>

namespace atrium::profile {
namespace {

std::string three_digits(double value, const char* unit) {
  char text[48];
  std::snprintf(text, sizeof text,
                value < 9.995   ? "%.2f %s"
                : value < 99.95 ? "%.1f %s"
                                : "%.0f %s",
                value, unit);
  return text;
}

}  // namespace

std::string say_seconds(double seconds) {
  if (seconds == 0) return "0";
  if (seconds >= 0.9995) return three_digits(seconds, "s");
  if (seconds >= 0.9995e-3) return three_digits(seconds * 1e3, "ms");
  if (seconds >= 0.9995e-6) return three_digits(seconds * 1e6, "us");
  char text[32];
  std::snprintf(text, sizeof text, "%.0f ns", seconds * 1e9);
  return text;
}

std::string say_bytes(uint64_t bytes) {
  if (bytes < 1024) return std::to_string(bytes) + " B";
  static constexpr const char* units[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  double value = static_cast<double>(bytes) / 1024;
  size_t unit = 0;
  for (; value >= 1023.5 && unit < 5; ++unit) value /= 1024;
  return three_digits(value, units[unit]);
}

std::string say_share(double part, double all) {
  if (all <= 0) return "0 %";
  const double percent = 100 * part / all;
  char text[32];
  std::snprintf(text, sizeof text, percent < 9.95 && percent >= 0.05 ? "%.1f %%" : "%.0f %%", percent);
  return text;
}

}  // namespace atrium::profile
