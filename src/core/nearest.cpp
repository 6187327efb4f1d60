// Computes the edit distance of two words, one row of its table at a time.
// SPDX-License-Identifier: BSD-3-Clause
#include "core/nearest.hpp"

#include <algorithm>
#include <vector>

namespace atrium {

size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t replaced = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row[b.size()];
}

void NearestWord::offer(std::string_view word) {
  const size_t distance = edit_distance(typed_, word);
  if (distance >= best_distance_) return;
  best_ = word;
  best_distance_ = distance;
}

}  // namespace atrium
