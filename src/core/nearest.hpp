// Finds the known word that a mistyped one was probably meant to be.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace atrium {

// Levenshtein's distance: how many letters must change to make one word the other.
size_t edit_distance(std::string_view a, std::string_view b);

// Keeps the nearest of the words it is offered, none when all are more than `reach` letters away.
class NearestWord {
 public:
  NearestWord(std::string_view typed, size_t reach) : typed_(typed), best_distance_(reach + 1) {}

  void offer(std::string_view word);
  const std::string& word() const { return best_; }  // empty: nothing was near

 private:
  std::string_view typed_;
  std::string best_;
  size_t best_distance_;
};

}  // namespace atrium
