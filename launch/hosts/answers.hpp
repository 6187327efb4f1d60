// Answers of several hosts to one question, until all have answered.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>
#include <functional>
#include <iterator>
#include <utility>
#include <vector>

#include "launch/hosts/host.hpp"
#include "launch/io/loop.hpp"

namespace atrium {

template <class Answer>
class Answers {
 public:
  // Gets the answers that have come: with the last one, or when it is too late for others.
  using Take = std::function<void(std::vector<Answer> answers)>;

  explicit Answers(Take take) : take_(std::move(take)) {}

  bool is_under_way() const { return !asked_.empty(); }
  // `ask(host)` puts the question to a host. Some answer at once.
  template <class Ask>
  void ask(std::vector<Host*> hosts, Ask ask) {
    asked_ = hosts;
    answers_.clear();
    ++questions_;
    for (Host* host : hosts) ask(*host);
  }
  // `ask(host, time)`: each has a part of the time, so that what it answers last arrives in time.
  template <class Ask>
  void ask_within(Loop& loop, std::chrono::milliseconds time, std::vector<Host*> hosts, Ask ask) {
    this->ask(std::move(hosts), [&](Host& host) { ask(host, time * 4 / 5); });
    loop.after(time, [this, question = questions_] {
      if (is_under_way() && question == questions_) end();
    });
  }
  // An answer of a host that was not asked, or has answered, counts for nothing.
  void add(Host& host, std::vector<Answer> answers) {
    if (std::erase(asked_, &host) == 0) return;
    answers_.insert(answers_.end(), std::make_move_iterator(answers.begin()),
                    std::make_move_iterator(answers.end()));
    if (asked_.empty()) end();
  }

 private:
  void end() {
    asked_.clear();
    take_(std::exchange(answers_, {}));
  }

  const Take take_;
  std::vector<Host*> asked_;  // and have not answered yet
  std::vector<Answer> answers_;
  int questions_ = 0;
};

}  // namespace atrium
