// Prints sections of names and values as text or as JSON.
// SPDX-License-Identifier: BSD-3-Clause
#include "atrium-info/report.hpp"

#include <cstdio>

#include "atrium_words.hpp"
#include "core/settings.hpp"

namespace atrium {
namespace {

std::string variable_json(const Setting& entry) {
  const auto value = given(entry.name);
  return "{\"name\": " + quoted_for_json(entry.name) +
         ", \"value\": " + (value ? quoted_for_json(*value) : "null") +
         ", \"default\": " + quoted_for_json(entry.fallback) + ", \"kind\": " + quoted_for_json(entry.kind) +
         ", \"meaning\": " + quoted_for_json(entry.meaning) + "}";
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
    std::printf("  %s: {", quoted_for_json(section.key).c_str());
    const char* separator = "\n";
    for (const auto& [name, value] : section.rows) {
      std::printf("%s    %s: %s", separator, quoted_for_json(name).c_str(), quoted_for_json(value).c_str());
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
