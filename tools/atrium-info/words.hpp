// Splits a list like "a,b,c" into its words.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sstream>
#include <string>
#include <vector>

namespace atrium {

inline std::vector<std::string> words_of(const std::string& list) {
  std::vector<std::string> words;
  std::istringstream text(list);
  for (std::string word; std::getline(text, word, ',');)
    if (!word.empty()) words.push_back(word);
  return words;
}

}  // namespace atrium
