// Builds the elements of the HTML page: sections, tables and escaped text.
// SPDX-License-Identifier: BSD-3-Clause
#include "profile/report/html.hpp"

#include <algorithm>
#include <cstdio>

namespace atrium::profile {

std::string escaped(const std::string& text) {
  std::string safe;
  for (const char letter : text) switch (letter) {
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '&':
        safe += "&amp;";
        break;
      case '"':
        safe += "&quot;";
        break;
      default:
        safe += letter;
    }
  return safe;
}

std::string fixed(double value, int digits) {
  char text[32];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}

std::string section(const std::string& title, const std::string& meaning, const std::string& body) {
  if (body.empty()) return {};
  return "<h2>" + title + "</h2>\n<p>" + meaning + "</p>\n<div class=\"wide\">" + body + "</div>\n";
}

std::string table_row(const std::vector<std::string>& cells, const std::vector<bool>& is_name,
                      const char* tag) {
  std::string row = "<tr>";
  for (size_t i = 0; i < cells.size(); ++i)
    row += std::string("<") + tag + (is_name[i] ? " class=\"name\">" : ">") +
           (cells[i].starts_with("<div") ? cells[i] : escaped(cells[i])) + "</" + tag + ">";
  return row + "</tr>\n";
}

std::string bar(const std::vector<BarPart>& parts, double all) {
  std::string text = "<div class=\"bar\">";
  for (const BarPart& part : parts)
    if (all > 0)
      text += std::string("<i class=\"") + part.name +
              "\" style=\"width:" + fixed(std::clamp(100 * part.value / all, 0.0, 100.0), 2) + "%\"></i>";
  return text + "</div>";
}

std::string bar(double waiting, double inside, double all) {
  return bar({{"wait", waiting}, {"work", inside - waiting}}, all);
}

std::string fact(const std::string& value, const std::string& meaning) {
  return "<div><b>" + escaped(value) + "</b><span>" + meaning + "</span></div>";
}

}  // namespace atrium::profile
