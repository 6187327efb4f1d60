// Sizes, lists of numbers and the values of all settings, with any text in them.
// SPDX-License-Identifier: BSD-3-Clause
#include "core/settings.hpp"

#include "core/number_list.hpp"
#include "input.hpp"

using namespace atrium;

namespace {

void read_size(std::string_view text) {
  const std::optional<size_t> size = parse_size(text);
  if (!size || *size >= size_t{1} << 50) return;  // what is shown in P or E is not meant to be read
  const std::optional<size_t> again = parse_size(format_size(*size));
  MUST(again && (*again > *size ? *again - *size : *size - *again) <= *size / 50,
       "a size survives being shown");
}

void read_list(std::string_view text) {
  const auto numbers = parse_number_list(text);
  if (!numbers) return;
  MUST(parse_number_list(format_number_list(*numbers)) == numbers, "a list survives being shown");
}

// The setting whose number is drawn, by each of the typed reads that its kind has.
void read_setting(int which, const std::string& text) {
  const Setting& setting = all_settings()[static_cast<size_t>(which) % all_settings().size()];
  if (text.find('\0') != std::string::npos) return;
  setenv(setting.name, text.c_str(), 1);
  const std::string_view kind = setting.kind;
  if (kind == "size") {
    if (auto size = size_setting(setting.name); !size)
      MUST(!size.error().because.empty(), "an error says why");
  } else if (kind == "number") {
    if (auto number = number_setting(setting.name); !number)
      MUST(!number.error().because.empty(), "an error says why");
  } else if (kind == "seconds") {
    if (auto seconds = seconds_setting(setting.name)) MUST(*seconds >= 0, "time does not run backwards");
  } else if (kind == "flag") {
    flag_setting(setting.name);
  } else if (kind.find('|') != std::string_view::npos) {
    if (auto word = word_setting(setting.name))
      MUST(kind.find(*word) != std::string_view::npos, "a word is one of the kind's");
  }
  if (auto checked = check_setting(setting.name); !checked)
    MUST(!checked.error().because.empty(), "an error says why");
  misspelt_variables();
  unsetenv(setting.name);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input input(data, size);
  const int what = input.up_to(255);
  read_size(input.rest());
  read_list(input.rest());
  read_setting(what, std::string(input.rest()));
  return 0;
}
