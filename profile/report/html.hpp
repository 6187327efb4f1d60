// The parts of which the HTML page of a profile is made: sections, rows and cells.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace atrium::profile {

std::string escaped(const std::string& text);
std::string fixed(double value, int digits);

// Nothing, where there is no body.
std::string section(const std::string& title, const std::string& meaning, const std::string& body);

// The columns that are names are text, the others numbers; "<div" begins what is markup already.
std::string table_row(const std::vector<std::string>& cells, const std::vector<bool>& is_name,
                      const char* tag);

template <class Rows, class Columns>
std::string table_of(const std::vector<std::string>& head, const std::vector<bool>& is_name, const Rows& rows,
                     Columns columns) {
  if (rows.empty()) return {};
  std::string table = "<table>" + table_row(head, is_name, "th");
  for (const auto& row : rows) table += table_row(columns(row), is_name, "td");
  return table + "</table>";
}

// A part of `all` in the colour of a class of the style sheet.
struct BarPart {
  const char* name;
  double value;
};
std::string bar(const std::vector<BarPart>& parts, double all);
// Waiting, then the rest of the time in OpenSHMEM.
std::string bar(double waiting, double inside, double all);

std::string fact(const std::string& value, const std::string& meaning);

}  // namespace atrium::profile
