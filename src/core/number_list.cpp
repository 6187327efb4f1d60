// Parses and prints lists such as "0,2-4".
// SPDX-License-Identifier: BSD-3-Clause
#include "core/number_list.hpp"

#include "atrium_words.hpp"

namespace atrium {
namespace {

constexpr int longest_range = 1 << 20;  // "0-4000000000" is a slip, not a list to build

bool take_range(std::string_view& text, std::vector<int>& numbers) {
  const std::optional<int> first = take_number<int>(text);
  std::optional<int> last = first;
  if (first && text.starts_with('-')) {
    text.remove_prefix(1);
    last = take_number<int>(text);
  }
  if (!first || *first < 0 || !last || *last < *first || *last - *first > longest_range) return false;
  for (int number = *first; number <= *last; ++number) numbers.push_back(number);
  return true;
}

}  // namespace

std::optional<std::vector<int>> parse_number_list(std::string_view text) {
  if (text.ends_with('\n')) text.remove_suffix(1);
  std::vector<int> numbers;
  while (take_range(text, numbers)) {
    if (text.empty()) return numbers;
    if (!text.starts_with(',')) return std::nullopt;
    text.remove_prefix(1);
  }
  return std::nullopt;
}

std::string format_number_list(const std::vector<int>& numbers) {
  std::string text;
  for (size_t i = 0, j = 0; i < numbers.size(); i = j + 1) {
    for (j = i; j + 1 < numbers.size() && numbers[j + 1] == numbers[j] + 1;) ++j;
    if (!text.empty()) text += ',';
    text += std::to_string(numbers[i]);
    if (j > i) text += '-' + std::to_string(numbers[j]);
  }
  return text;
}

std::string format_pes(const std::vector<int>& pes) {
  return (pes.size() == 1 ? "PE " : "PEs ") + format_number_list(pes);
}

}  // namespace atrium
