// What atrium-info says: sections of names and values, as a table for people or as JSON for programs.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace atrium {

class Report {
 public:
  // `key` is its name in JSON, which stays; `title` is what people read.
  void section(const std::string& key, const std::string& title) { sections_.push_back({key, title, {}}); }
  // Requires: a section.
  void row(const std::string& name, const std::string& value) {
    sections_.back().rows.emplace_back(name, value);
  }

  void print_text() const;
  // With every variable: value, default, meaning.
  void print_json() const;

 private:
  struct Section {
    std::string key, title;
    std::vector<std::pair<std::string, std::string>> rows;
  };
  std::vector<Section> sections_;
};

// The table of environment variables, and those that are set and are none.
void print_variables();

}  // namespace atrium
