// The settings table and how its values are read.
// SPDX-License-Identifier: BSD-3-Clause
#include "core/settings.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "atrium_message.h"
#include "atrium_settings.h"
#include "core/given_settings.hpp"
#include "core/nearest.hpp"
#include "core/privilege.hpp"

extern char** environ;

namespace atrium {
namespace {

constexpr bool common = true;
constexpr Setting table[] = {
#include "core/settings.table"
};

// Most names differ in length: every PE looks a hundred settings up when it starts.
constexpr auto lengths_of_names = [] {
  std::array<uint8_t, std::size(table)> lengths{};
  for (size_t i = 0; i < std::size(table); ++i)
    lengths[i] = static_cast<uint8_t>(std::string_view(table[i].name).size());
  return lengths;
}();

const Setting* find(std::string_view name) {
  for (size_t i = 0; i < std::size(table); ++i)
    if (lengths_of_names[i] == name.size() && std::memcmp(table[i].name, name.data(), name.size()) == 0)
      return &table[i];
  return nullptr;
}

// A value that may stand there, to be shown.
std::string example_of(const Setting& entry) {
  if (atrium_is_kind(entry.kind, "size")) return "512M";
  if (*entry.fallback) return entry.fallback;
  const std::string_view kind = entry.kind;
  return std::string(kind.substr(0, kind.find('|')));
}

Error refuse(const Setting& entry, const std::string& text) {
  const std::string example = example_of(entry);
  const atrium_setting row{entry.name, entry.kind, example.c_str(), entry.meaning};
  atrium_bad_value bad;
  atrium_describe_bad_value(&row, text.c_str(), "cannot be used", "reading the settings", &bad);
  return Error{bad.what, bad.because, bad.message.during, bad.remedy};
}

Result<atrium_value> value_of(const Setting& entry, const std::string& text) {
  atrium_value value;
  if (atrium_parse_value(entry.kind, text.c_str(), &value)) return value;
  return refuse(entry, text);
}

Result<atrium_value> value_of(std::string_view name) { return value_of(*find(name), setting(name)); }

// "auto" may be written for some sizes, also in capital letters; the functions that read these test for it.
bool is_fallback(const Setting& entry, const std::string& text) {
  return atrium_is_word(text.c_str(), entry.fallback, std::strlen(entry.fallback));
}

// Variables of the other faces: atrium-mpi(1), atrium_node_window(3).
constexpr std::string_view known_elsewhere[] = {
    "ATRIUM_PREFIX",      "ATRIUM_ALLTOALL",   "ATRIUM_ALLTOALL_LIMIT", "ATRIUM_ALLTOALL_FILE",
    "ATRIUM_ALLREDUCE",   "ATRIUM_BCAST",      "ATRIUM_BARRIER",        "ATRIUM_REPORT",
    "ATRIUM_MPI_SEGMENT", "ATRIUM_MPI_BUFFER", "ATRIUM_MPI_LEADERS",    "ATRIUM_NODE_RANKS",
    "ATRIUM_MPI_READ",    "ATRIUM_MPI_ALLOC",  "ATRIUM_WINDOW_PATIENCE"};

bool is_known(std::string_view name) {
  return find(name) ||
         std::find(std::begin(known_elsewhere), std::end(known_elsewhere), name) != std::end(known_elsewhere);
}

// The setting that is read from this variable of the environment, or null.
const Setting* setting_of(std::string_view variable) {
  if (variable.starts_with("SMA_")) return find("SHMEM_" + std::string(variable.substr(4)));
  return variable.starts_with("ATRIUM_") || variable.starts_with("SHMEM_") ? find(variable) : nullptr;
}

// Others' names begin with SHMEM_, too: there only what differs by two letters at most is a slip.
std::string nearest_name(std::string_view name) {
  NearestWord nearest(name, name.starts_with("SHMEM_") ? 2 : 3);
  for (const Setting& entry : table) nearest.offer(entry.name);
  return nearest.word();
}

}  // namespace

std::span<const Setting> all_settings() { return table; }

std::vector<const Setting*> settings_in_environment() {
  std::vector<const Setting*> found;
  for (char** variable = environ; variable && *variable; ++variable) {
    const std::string_view text = *variable;
    if (const Setting* entry = setting_of(text.substr(0, text.find('=')))) found.push_back(entry);
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::optional<std::string> given(std::string_view name) {
  const std::string variable(name);
  if (const char* text = trusted_variable(variable.c_str())) return text;
  if (name.starts_with("SHMEM_"))
    if (const char* text = trusted_variable(("SMA_" + variable.substr(6)).c_str())) return text;
  return std::nullopt;
}

std::string setting(std::string_view name) {
  const Setting* entry = find(name);
  const std::string text = given(name).value_or("");
  return entry && (text.empty() || is_fallback(*entry, text)) ? entry->fallback : text;
}

Result<size_t> size_setting(std::string_view name) {
  auto value = value_of(name);
  return value ? Result<size_t>(value->number) : value.error();
}

Result<long> number_setting(std::string_view name) {
  auto value = value_of(name);
  return value ? Result<long>(static_cast<long>(value->number)) : value.error();
}

Result<double> seconds_setting(std::string_view name) {
  auto value = value_of(name);
  return value ? Result<double>(value->seconds) : value.error();
}

Result<std::string> word_setting(std::string_view name) {
  auto value = value_of(name);
  if (!value) return value.error();
  std::string_view words = find(name)->kind;
  for (int word = 0; word < value->word; ++word) words.remove_prefix(words.find('|') + 1);
  return std::string(words.substr(0, words.find('|')));
}

bool flag_setting(std::string_view name) {
  const Setting& entry = *find(name);
  const int flag = atrium_parse_flag(setting(name).c_str());
  return (flag >= 0 ? flag : atrium_parse_flag(entry.fallback)) == 1;
}

// A variable that is set to nothing counts as not given.
static Result<void> check(const Setting& entry) {
  const auto text = given(entry.name);
  if (!text || text->empty() || is_fallback(entry, *text)) return {};
  auto value = value_of(entry, *text);
  return value ? Result<void>() : value.error();
}

Result<void> check_setting(std::string_view name) { return check(*find(name)); }

Result<void> check_settings() {
  for (const Setting* entry : settings_in_environment())
    if (auto checked = check(*entry); !checked) return checked;
  return {};
}

uint64_t nanoseconds_of(double seconds) {
  constexpr double hundred_years = 3.2e9;
  return static_cast<uint64_t>(std::min(seconds, hundred_years) * 1e9);
}

uint32_t whole_seconds_of(double seconds) {
  return static_cast<uint32_t>((nanoseconds_of(seconds) + 999'999'999) / 1'000'000'000);
}

bool present(std::string_view name) { return given(name).has_value(); }

std::vector<Misspelt> misspelt_variables() {
  std::vector<Misspelt> result;
  for (char** variable = environ; variable && *variable; ++variable) {
    const std::string_view text = *variable;
    const std::string_view name = text.substr(0, text.find('='));
    const bool is_standards = name.starts_with("SHMEM_");
    if (!name.starts_with("ATRIUM_") && !is_standards) continue;
    if (name.starts_with("ATRIUM_JOB_") || is_known(name)) continue;
    std::string nearest = nearest_name(name);
    if (!is_standards || !nearest.empty()) result.push_back({std::string(name), std::move(nearest)});
  }
  return result;
}

std::optional<size_t> parse_size(std::string_view text) {
  uint64_t bytes;
  if (!atrium_parse_size(std::string(text).c_str(), &bytes)) return std::nullopt;
  return bytes;
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
