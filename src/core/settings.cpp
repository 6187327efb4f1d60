// The settings table and how its values are read.
// SPDX-License-Identifier: BSD-3-Clause
#include "core/settings.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "core/nearest.hpp"

extern char** environ;

namespace atrium {
namespace {

constexpr Setting table[] = {
#include "core/settings.table"
};

const Setting* find(std::string_view name) {
  for (const Setting& entry : table)
    if (name == entry.name) return &entry;
  return nullptr;
}

Error bad_value(std::string_view name, const std::string& text, const std::string& expected, const std::string& example) {
  return Error{"cannot use " + std::string(name) + "=" + text, "the value is not " + expected, "reading the settings",
               example.empty() ? "" : std::string(name) + "=" + example};
}

std::vector<std::string> words_of(const Setting& entry) {
  std::vector<std::string> words;
  std::string_view rest = entry.kind;
  while (true) {
    const size_t bar = rest.find('|');
    words.emplace_back(rest.substr(0, bar));
    if (bar == std::string_view::npos) return words;
    rest.remove_prefix(bar + 1);
  }
}

std::string nearest_name(std::string_view name) {
  NearestWord nearest(name, 3);  // more than three letters apart is another word, not a slip
  for (const Setting& entry : table) nearest.offer(entry.name);
  return std::string(nearest.word());
}

}  // namespace

std::span<const Setting> all_settings() { return table; }

std::optional<std::string> given(std::string_view name) {
  if (const char* text = std::getenv(std::string(name).c_str())) return text;
  if (name.starts_with("SHMEM_"))
    if (const char* text = std::getenv(("SMA_" + std::string(name.substr(6))).c_str())) return text;
  return std::nullopt;
}

std::string setting(std::string_view name) {
  const Setting* entry = find(name);
  return given(name).value_or(entry ? entry->fallback : "");
}

Result<size_t> size_setting(std::string_view name) {
  const std::string text = setting(name);
  if (auto bytes = parse_size(text)) return *bytes;
  return bad_value(name, text, "a size (a number, then K, M, G or T)", "512M");
}

Result<long> number_setting(std::string_view name) {
  const std::string text = setting(name);
  char* end = nullptr;
  const long value = std::strtol(text.c_str(), &end, 10);
  if (end == text.c_str() || *end != '\0') return bad_value(name, text, "a whole number", find(name)->fallback);
  return value;
}

Result<std::string> word_setting(std::string_view name) {
  const std::string text = setting(name);
  const auto words = words_of(*find(name));
  if (std::find(words.begin(), words.end(), text) != words.end()) return text;
  return bad_value(name, text, "one of " + std::string(find(name)->kind), words.front());
}

bool flag_setting(std::string_view name) {
  const std::string text = setting(name);
  return !(text.empty() || text == "0" || text == "off" || text == "no" || text == "false");
}

bool present(std::string_view name) { return given(name).has_value(); }

std::vector<Misspelt> misspelt_variables() {
  std::vector<Misspelt> result;
  for (char** variable = environ; variable && *variable; ++variable) {
    const std::string_view text = *variable;
    const std::string_view name = text.substr(0, text.find('='));
    if (!name.starts_with("ATRIUM_") || name.starts_with("ATRIUM_JOB_") || find(name)) continue;
    result.push_back({std::string(name), nearest_name(name)});
  }
  return result;
}

std::optional<size_t> parse_size(std::string_view text) {
  const char* const last = text.data() + text.size();
  if (text.empty() || !(std::isdigit(text[0]) || text[0] == '.')) return std::nullopt;
  double number = 0;
  const auto [end, failure] = std::from_chars(text.data(), last, number);  // in every locale with a point
  if (failure != std::errc()) return std::nullopt;
  int shift = 0;
  switch (end == last ? '\0' : std::tolower(*end)) {
    case '\0': break;
    case 'k': shift = 10; break;
    case 'm': shift = 20; break;
    case 'g': shift = 30; break;
    case 't': shift = 40; break;
    default: return std::nullopt;
  }
  const double bytes = std::ldexp(number, shift);
  if (!(bytes >= 0) || bytes > 9e18) return std::nullopt;
  return static_cast<size_t>(std::ceil(bytes));
}

std::string format_size(size_t bytes) {
  static constexpr char suffix[] = {'\0', 'K', 'M', 'G', 'T'};
  double value = static_cast<double>(bytes);
  int step = 0;
  while (value >= 1024 && step < 4) value /= 1024, ++step;
  char text[32];
  std::snprintf(text, sizeof text, "%.4g%c", value, suffix[step]);
  return text;
}

}  // namespace atrium
