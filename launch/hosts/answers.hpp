// Answers of several hosts to one question, until all have answered.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>
#include <iterator>
#include <utility>
#include <vector>

#include "launch/hosts/host.hpp"

namespace atrium {

// Of the time for an answer, what those get who are asked for a part of it: what they answer last has to arrive in time.
constexpr std::chrono::milliseconds time_for_part(std::chrono::milliseconds within) { return within * 4 / 5; }

template <class Answer>
class Answers {
 public:
  // Before the hosts are asked: some answer at once. The question's number.
  int begin(std::vector<Host*> hosts) {
    asked_ = std::move(hosts);
    answers_.clear();
    return ++questions_;
  }
  bool is_under_way() const { return !asked_.empty(); }
  bool awaits_answers_to(int question) const { return is_under_way() && question == questions_; }
  // Whether it is the last answer. One of a host that was not asked, or has answered, counts for nothing.
  bool add(Host& host, std::vector<Answer> answers) {
    if (std::erase(asked_, &host) == 0) return false;
    answers_.insert(answers_.end(), std::make_move_iterator(answers.begin()),
                    std::make_move_iterator(answers.end()));
    return asked_.empty();
  }
  // The answers that have come. Further ones are not awaited.
  std::vector<Answer> take() {
    asked_.clear();
    return std::exchange(answers_, {});
  }

 private:
  std::vector<Host*> asked_;  // and have not answered yet
  std::vector<Answer> answers_;
  int questions_ = 0;
};

}  // namespace atrium
