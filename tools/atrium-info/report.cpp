// Prints sections of names and values as text or as JSON.
// SPDX-License-Identifier: BSD-3-Clause
#include "atrium-info/report.hpp"

#include <cstdio>

#include "core/settings.hpp"

namespace atrium {
namespace {

std::string quoted(const std::string& text) {
  std::string json = "\"";
  for (const char letter : text) {
    char code[8];
    if (letter == '"' || letter == '\\')
      json += std::string("\\") + letter;
    else if (static_cast<unsigned char>(letter) < ' ')
      std::snprintf(code, sizeof code, "\\u%04x", letter), json += code;
    else
      json += letter;
  }
  return json + "\"";
}

std::string variable_json(const Setting& entry) {
  const auto value = given(entry.name);
  return "{\"name\": " + quoted(entry.name) + ", \"value\": " + (value ? quoted(*value) : "null") +
         ", \"default\": " + quoted(entry.fallback) + ", \"kind\": " + quoted(entry.kind) +
         ", \"meaning\": " + quoted(entry.meaning) + "}";
}

}  // namespace

void Report::print_text() const {
  for (const Section& section : sections_) {
    std::printf("%s%s\n", &section == sections_.data() ? "" : "\n", section.title.c_str());
    for (const auto& [name, value] : section.rows) std::printf("  %-22s %s\n", name.c_str(), value.c_str());
  }
}

void Report::print_json() const {
  std::puts("{");
  for (const Section& section : sections_) {
    std::printf("  %s: {", quoted(section.key).c_str());
    const char* separator = "\n";
    for (const auto& [name, value] : section.rows) {
      std::printf("%s    %s: %s", separator, quoted(name).c_str(), quoted(value).c_str());
      separator = ",\n";
    }
    std::puts("\n  },");
  }
  std::printf("  \"variables\": [");
  const char* separator = "\n";
  for (const Setting& entry : all_settings()) {
    std::printf("%s    %s", separator, variable_json(entry).c_str());
    separator = ",\n";
  }
  std::puts("\n  ]\n}");
}

void print_variables() {
  std::printf("\nVariables (SHMEM_ ones are also read as SMA_)\n");
  for (const Setting& entry : all_settings()) {
    const std::string value = given(entry.name).value_or(std::string(entry.fallback) + " (default)");
    std::printf("  %-26s %s\n      %s [%s]\n", entry.name, value.c_str(), entry.meaning, entry.kind);
  }
  for (const Misspelt& variable : misspelt_variables())
    std::printf("  %-26s is set but is no variable of Atrium%s%s\n", variable.name.c_str(),
                variable.nearest.empty() ? "" : "; did you mean ", variable.nearest.c_str());
}

}  // namespace atrium
