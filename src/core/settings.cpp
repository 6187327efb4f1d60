// The settings table and how its values are read.
// SPDX-License-Identifier: BSD-3-Clause
#include "core/settings.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "core/nearest.hpp"
#include "core/privilege.hpp"

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

Error bad_value(std::string_view name, const std::string& text, const std::string& expected,
                const std::string& example) {
  return Error{"cannot use " + std::string(name) + "=" + text, "the value is not " + expected,
               "reading the settings", example.empty() ? "" : std::string(name) + "=" + example};
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

// Variables of the other faces: atrium-mpi(1), atrium_node_window(3).
constexpr std::string_view known_elsewhere[] = {
    "ATRIUM_PREFIX",     "ATRIUM_ALLTOALL",       "ATRIUM_ALLTOALL_LIMIT", "ATRIUM_ALLTOALL_FILE",
    "ATRIUM_REPORT",     "ATRIUM_MPI_SEGMENT",    "ATRIUM_MPI_BUFFER",     "ATRIUM_LEADERS",
    "ATRIUM_NODE_RANKS", "ATRIUM_WINDOW_PATIENCE"};

bool is_known(std::string_view name) {
  return find(name) ||
         std::find(std::begin(known_elsewhere), std::end(known_elsewhere), name) != std::end(known_elsewhere);
}

std::string nearest_name(std::string_view name) {
  NearestWord nearest(name, 3);  // more than three letters apart is another word, not a slip
  for (const Setting& entry : table) nearest.offer(entry.name);
  return std::string(nearest.word());
}

}  // namespace

std::span<const Setting> all_settings() { return table; }

std::optional<std::string> given(std::string_view name) {
  if (const char* text = trusted_variable(std::string(name).c_str())) return text;
  if (name.starts_with("SHMEM_"))
    if (const char* text = trusted_variable(("SMA_" + std::string(name.substr(6))).c_str())) return text;
  return std::nullopt;
}

std::string setting(std::string_view name) {
  const Setting* entry = find(name);
  const std::string text = given(name).value_or("");
  return text.empty() && entry ? entry->fallback : text;
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
  if (end == text.c_str() || *end != '\0' || value < 0)
    return bad_value(name, text, "a whole number, 0 or more", find(name)->fallback);
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
    if (!name.starts_with("ATRIUM_") || name.starts_with("ATRIUM_JOB_") || is_known(name)) continue;
    result.push_back({std::string(name), nearest_name(name)});
  }
  return result;
}

namespace {

// "3.1" at the head of the text, without its digits. By hand: what the C library takes for a decimal point
// depends on the locale, and <charconv> for floating numbers drags libm into static programs.
std::optional<double> take_decimal(std::string_view& text) {
  double number = 0;
  double unit = 1;
  size_t digits = 0;
  bool fraction = false;
  while (!text.empty() &&
         (std::isdigit(static_cast<unsigned char>(text[0])) || (text[0] == '.' && !fraction))) {
    if (text[0] == '.')
      fraction = true;
    else
      number = 10 * number + (text[0] - '0'), unit *= fraction ? 10 : 1, ++digits;
    text.remove_prefix(1);
  }
  if (digits == 0) return std::nullopt;
  return number / unit;
}

// "e6" at the head of the text, as a million; 1 where there is none. Further than size_t and 1 byte reach is far enough.
double take_exponent(std::string_view& text) {
  std::string_view rest = text;
  if (rest.empty() || std::tolower(rest[0]) != 'e') return 1;
  rest.remove_prefix(1);
  const bool negative = rest.starts_with('-');
  if (negative || rest.starts_with('+')) rest.remove_prefix(1);
  unsigned power;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), power);
  if (error != std::errc{}) return 1;
  text = {end, static_cast<size_t>(rest.data() + rest.size() - end)};
  double factor = 1;
  for (unsigned i = 0; i < std::min(power, 40u); ++i) factor *= 10;
  return negative ? 1 / factor : factor;
}

}  // namespace

std::optional<size_t> parse_size(std::string_view text) {
  auto number = take_decimal(text);
  if (!number) return std::nullopt;
  *number *= take_exponent(text);
  static constexpr std::string_view suffixes = "kmgt";
  size_t steps = 0;
  if (!text.empty()) {
    steps = suffixes.find(static_cast<char>(std::tolower(text[0]))) + 1;
    if (steps == 0) return std::nullopt;
  }
  const double bytes = *number * static_cast<double>(size_t{1} << (10 * steps));
  if (bytes > 9e18) return std::nullopt;
  const auto whole = static_cast<size_t>(bytes);
  return whole + (static_cast<double>(whole) < bytes);
}

std::string format_size(size_t bytes) {
  static constexpr char suffix[] = {'\0', 'K', 'M', 'G', 'T', 'P', 'E'};
  double value = static_cast<double>(bytes);
  int step = 0;
  while (value >= 1024 && step < 6) value /= 1024, ++step;
  char text[32];
  std::snprintf(text, sizeof text, "%.4g%c", value, suffix[step]);
  return text;
}

}  // namespace atrium
