// Reads the command line of oshrun word by word into Options, and refuses what it does not understand.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/cli/options.hpp"

#include <algorithm>
#include <cctype>

#include "core/number_list.hpp"
#include "launch/cli/flags.hpp"

namespace atrium {
namespace {

Error unknown_flag(const std::string& word, const std::string& name) {
  const std::string nearest = nearest_flag(name);
  const std::string dashes = nearest.size() == 1 ? "-" : "--";
  return bad_word("unknown flag " + word, nearest.empty() ? "oshrun --help" : dashes + nearest);
}

// "-n4": a count glued to its flag.
bool is_glued_count(const std::string& word) {
  return word.size() > 2 && word[0] == '-' && (word[1] == 'n' || word[1] == 'c') &&
         std::all_of(word.begin() + 2, word.end(), [](unsigned char c) { return std::isdigit(c); });
}

class Parser {
 public:
  explicit Parser(const std::vector<std::string>& words) : words_(words) {}

  Result<Options> parse() {
    while (at_ < words_.size() && is_flag(words_[at_])) {
      const size_t begin = at_;
      const std::string word = words_[at_++];
      if (word == "--") break;
      for_agents_ = true;
      if (auto done = take_flag(word); !done) return done.error();
      if (for_agents_) options_.agent_words.insert(options_.agent_words.end(), place(begin), place(at_));
    }
    options_.command.assign(place(at_), words_.end());
    options_.agent_words.push_back("--");
    options_.agent_words.insert(options_.agent_words.end(), place(at_), words_.end());
    if (auto one = require_one_program(); !one) return one.error();
    return std::move(options_);
  }

 private:
  std::vector<std::string>::const_iterator place(size_t word) const {
    return words_.begin() + static_cast<ptrdiff_t>(word);
  }
  static bool is_flag(const std::string& word) { return word.size() > 1 && word[0] == '-'; }
  static std::string name_of(const std::string& word) {
    const size_t begin = word[1] == '-' ? 2 : 1;
    return word.substr(begin, word.find('=') - begin);
  }

  Result<void> take_flag(const std::string& word) {
    if (is_glued_count(word))
      return find_flag(word.substr(1, 1))->apply(options_, std::vector<std::string>{word.substr(2)});
    const size_t equals = word.find('=');
    const std::string name = name_of(word);
    const Flag* flag = find_flag(name);
    if (!flag) return unknown_flag(word.substr(0, equals), name);
    for_agents_ = !flag->starts_agents;
    std::vector<std::string> values;
    if (equals != std::string::npos) values.push_back(word.substr(equals + 1));
    return apply(*flag, word.substr(0, equals), std::move(values));
  }

  Result<void> apply(const Flag& flag, const std::string& word, std::vector<std::string> values) {
    if (flag.values == 0 && !values.empty()) return bad_word(word + " takes no value", word);
    const size_t wanted = flag.values == optional_value ? values.size() : static_cast<size_t>(flag.values);
    while (values.size() < wanted) {
      const std::string* const next = at_ < words_.size() ? &words_[at_] : nullptr;
      if (!next) return bad_word(word + " needs a value", "oshrun --help");
      // In "-env NAME -v" the second one is whatever a variable is to hold.
      if (values.empty() && is_flag(*next) && find_flag(name_of(*next)))
        return bad_word(word + " needs a value, and " + *next + " is a flag", "oshrun --help");
      values.push_back(words_[at_++]);
    }
    return flag.apply(options_, values);
  }

  // "-n 2 a : -n 2 b" starts two programs elsewhere. Starting `a` with the rest as its arguments would be a
  // surprise.
  Result<void> require_one_program() const {
    const auto colon = std::find(options_.command.begin(), options_.command.end(), ":");
    if (options_.command.end() - colon < 2 || (*(colon + 1))[0] != '-') return {};
    return bad_word("one job runs one program: ':' is not supported",
                    "a script that looks at ATRIUM_JOB_PE and runs one or the other");
  }

  const std::vector<std::string>& words_;
  size_t at_ = 0;
  bool for_agents_ = true;  // the flag just read
  Options options_;
};

}  // namespace

bool PeSet::has(int pe) const {
  return all || std::find(numbers.begin(), numbers.end(), pe) != numbers.end();
}

std::optional<PeSet> parse_pe_set(std::string_view text) {
  if (text == "all") return PeSet{true, {}};
  if (text == "none") return PeSet{};
  if (auto numbers = parse_number_list(text)) return PeSet{false, std::move(*numbers)};
  return std::nullopt;
}

Result<Options> parse_options(const std::vector<std::string>& words) { return Parser(words).parse(); }

}  // namespace atrium
