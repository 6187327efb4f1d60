// The chooser: random histories of all ranks of a communicator, against what must hold in each of them.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "chooser_parts.hpp"

namespace atrium::mpi {
namespace {

// What a communicator of some nodes would do: its memory, its messages and its times are drawn.
class World {
 public:
  World(unsigned seed, ChoiceRule rule) : random_(seed), rule_(rule) {
    nodes_ = 1 + draw(3);
    for (int rank = 0, ranks = nodes_ + draw(4); rank < ranks; ++rank) {
      choosers_.emplace_back(rule, read_clock);
      node_of_.push_back(rank < nodes_ ? rank : draw(nodes_));
      slowness_.push_back(1 + draw(5) / 10.0);
    }
    const std::size_t first_calls = draw(2) ? draw(80) : 0;
    for (Chooser& chooser : choosers_) chooser.leave_first_calls(first_calls);
    finds_nodes_ = draw(10) > 0;
    cap_ = std::size_t{1} << (8 + draw(16));
    own_cost_ = (1 + draw(30)) / 10.0;
    can_read_ = nodes_ == 1 && draw(2);
  }

  void run(int calls) {
    for (int call = 0; call < calls && !testing::Test::HasFatalFailure(); ++call) {
      if (draw(50) == 0) own_cost_ = (1 + draw(30)) / 10.0;  // another load
      if (draw(20) == 0) usual_ = draw(18);
      bytes_ = std::size_t{1} << (draw(4) ? usual_ : draw(18));
      run_call(draw(2) == 0);
    }
    check_tallies(calls);
  }

 private:
  int draw(int end) { return static_cast<int>(random_() % static_cast<unsigned>(end)); }

  void run_call(bool uniform) {
    constexpr CallKind uniform_kinds[] = {equal_blocks, reductions, broadcasts, barriers};
    kind_ = uniform ? uniform_kinds[draw(4)] : different_blocks;
    uniform_ = uniform, heard_any_ = was_hindered_ = false, moves_ = mpi_calls_ = 0;
    const std::int64_t reads_before = clock_reads;
    for (std::size_t rank = 0; rank < choosers_.size(); ++rank)
      widest_.assign(choosers_.size(), 0), total_ = 8;
    for (std::size_t& widest : widest_) widest = uniform ? bytes_ : 1 + random_() % bytes_;
    NextStep step = all([&](Chooser& chooser) {
      if (!uniform)
        return chooser.leaves_varying_to_mpi(total_) ? NextStep::done : chooser.begin_varying(total_);
      return chooser.leaves_to_mpi(bytes_, total_, kind_) ? NextStep::done
                                                          : chooser.begin_uniform(bytes_, total_, kind_);
    });
    mpi_calls_ += step == NextStep::done;
    was_hindered_ = !uniform && step == NextStep::done;  // it backs off
    int steps = 0;
    for (; step != NextStep::done; step = carry_out(step)) {
      ASSERT_LE(++steps, 10) << "a call must end";
      if (testing::Test::HasFatalFailure()) return;
    }
    EXPECT_EQ(moves_ + mpi_calls_, 1) << "data is moved once, by the MPI or by us";
    EXPECT_TRUE(!rule_.always || was_hindered_ || !mpi_calls_) << "who always goes our way does so if it can";
    EXPECT_TRUE(rule_.measures() || clock_reads == reads_before) << "who measures nothing needs no time";
    if (!uniform && finds_nodes_) {
      unasked_ = heard_any_ ? 0 : unasked_ + 1;
      EXPECT_LE(unasked_, 64 + 4) << "a back-off is not for ever";
    }
  }

  // All ranks answer the same.
  template <class F>
  NextStep all(F answer) {
    std::set<NextStep> steps;
    for (std::size_t rank = 0; rank < choosers_.size(); ++rank) {
      const std::int64_t now = time_ns;
      time_ns = static_cast<std::int64_t>(static_cast<double>(now) * slowness_[rank]);
      steps.insert(answer(choosers_[rank]));
      time_ns = now;
    }
    if (steps.size() > 1) ADD_FAILURE() << "ranks go different ways";
    return steps.size() > 1 ? NextStep::done : *steps.begin();
  }

  int size_class_of_call() const { return size_class(*std::max_element(widest_.begin(), widest_.end())); }

  NextStep carry_out(NextStep step) {
    switch (step) {
      case NextStep::call_mpi:
        ++mpi_calls_;
        was_hindered_ = was_hindered_ || (!uniform_ && !heard_any_);  // it backs off
        time_ns += 1000 + draw(200);
        return all([](Chooser& chooser) { return chooser.called_mpi(); });
      case NextStep::find_nodes:
        was_hindered_ = !finds_nodes_;
        if (finds_nodes_ && !std::exchange(has_inherited_, true)) inherit();
        return all([&](Chooser& chooser) { return chooser.found_nodes(finds_nodes_, nodes_ == 1); });
      case NextStep::grow:
        return grow();
      case NextStep::exchange:
        return exchange(false);
      case NextStep::ask:
        return exchange(true);
      case NextStep::take:
        return take();
      default:
        return agree();
    }
  }

  NextStep take() {
    EXPECT_TRUE(has_data_) << "nobody takes what was not put down";
    const bool fails = choosers_[0].reads() && draw(300) == 0;
    fails ? was_hindered_ = true : ++moves_ > 0;
    return all(
        [&](Chooser& chooser) { return chooser.taken(fails ? CallVerdict::fallback : CallVerdict::go); });
  }

  // Whether this call is read, if it could be.
  bool ask_to_read(bool can_copy) {
    if (!can_read_ || (kind_ != equal_blocks && kind_ != different_blocks)) return false;
    std::set<bool> answers;
    for (Chooser& chooser : choosers_) {
      if (!chooser.reads() && !chooser.chooses_to_read() && !can_copy) chooser.has_to_read();
      answers.insert(chooser.reads());
    }
    EXPECT_EQ(answers.size(), 1u) << "all ranks read, or none";
    return *answers.begin();
  }

  void inherit() {
    Experience others;
    for (auto* words : {&others.mpi, &others.own})
      for (std::uint64_t& word : *words) word = random_() & random_();
    const Way preferred = draw(2) ? Way::own : Way::mpi;
    for (Chooser& chooser : choosers_) chooser.inherit(others, preferred);
  }

  NextStep grow() {
    const std::size_t wanted = uniform_ ? bytes_ : choosers_[0].need();
    const std::size_t need = ask_to_read(wanted <= cap_) ? 1 : wanted;
    const auto which = std::pair(kind_, size_class_of_call());
    EXPECT_FALSE(rule_.measures() && refused_.count(which))
        << "what there was no memory for is not asked for again";
    const bool is_enough = need <= cap_;
    if (is_enough) share_ = std::max(share_, need);
    if (!is_enough) refused_.insert(which), was_hindered_ = true;
    return all([&](Chooser& chooser) { return chooser.grown(is_enough); });
  }

  // On one node, or nodes with messages between them; an exchange of data ends by itself between nodes.
  NextStep exchange(bool only_asks) {
    heard_any_ = true;
    reads_ = uniform_ ? choosers_[0].reads() : choosers_[0].sends_data(0) && ask_to_read(true);
    time_ns += static_cast<std::int64_t>(1000 * own_cost_) + draw(200);
    CallHeader strongest{CallVerdict::go, 0, 0};
    has_data_ = true;
    for (int node = 0; node < nodes_; ++node) strongest = stronger(strongest, say(node, only_asks));
    if (uniform_ && strongest.verdict != CallVerdict::go) strongest.verdict = CallVerdict::fallback;
    if (strongest.verdict == CallVerdict::fallback) was_hindered_ = true;
    if (strongest.verdict == CallVerdict::go && !only_asks && (uniform_ || nodes_ > 1)) {
      EXPECT_TRUE(uniform_ || has_data_) << "nobody takes what was not sent";
      ++moves_;
    }
    return all([&](Chooser& chooser) {
      return only_asks ? chooser.asked(strongest) : chooser.exchanged(strongest);
    });
  }

  CallHeader say(int node, bool only_asks) {
    CallHeader header{CallVerdict::go, 0, 0};
    for (std::size_t rank = 0; rank < choosers_.size(); ++rank)
      if (node_of_[rank] == node) header.widest = std::max<std::uint64_t>(header.widest, widest_[rank]);
    header.need = header.widest;
    std::set<bool> sends;
    for (std::size_t rank = 0; rank < choosers_.size(); ++rank)
      if (node_of_[rank] == node) sends.insert(choosers_[rank].sends_data(header.widest));
    EXPECT_EQ(sends.size(), 1u) << "a node is of one opinion";
    EXPECT_FALSE(only_asks && *sends.begin()) << "a question carries no data";
    const bool sends_data = *sends.begin();
    has_data_ = has_data_ && sends_data;
    if (uniform_) return draw(500) ? header : heard(CallVerdict::fallback, 0, 0);
    if (draw(2000) == 0)
      header.verdict = CallVerdict::fallback;
    else if (!reads_ && header.need > share_)
      header.verdict = CallVerdict::too_small;
    else if (nodes_ > 1 && !sends_data)
      header.verdict = CallVerdict::no_data;
    return header;
  }

  NextStep agree() {
    ++agreements_;
    EXPECT_TRUE(rule_.measures()) << "who measures nothing agrees on nothing";
    Bursts slowest = choosers_[0].measured();
    for (Chooser& chooser : choosers_) {
      EXPECT_EQ(chooser.measured().count, slowest.count) << "ranks compare the same bursts";
      for (int burst = 0; burst < slowest.count; ++burst)
        slowest.cost[burst] = std::max(slowest.cost[burst], chooser.measured().cost[burst]);
    }
    const Findings elsewhere{draw(8) == 0, draw(8) == 0};
    const bool has_memory = share_ > 0 || uniform_;
    return all([&](Chooser& chooser) {
      return has_memory ? chooser.agreed(slowest, elsewhere) : chooser.agreed_on_nothing();
    });
  }

  void check_tallies(int calls) {
    for (Chooser& chooser : choosers_) {
      std::uint64_t sum = 0;
      chooser.record_first_calls();
      chooser.for_each_record([&](const char*, int, const ChoiceRecord& record) {
        const bool is_of_others = record.kind == reads_of_equal || record.kind == reads_of_different;
        if (!is_of_others) sum += record.tally.calls;
        EXPECT_LE(record.tally.own_calls, record.tally.calls);
        EXPECT_EQ(record.tally.bytes, record.tally.calls * total_);
      });
      EXPECT_EQ(sum, static_cast<std::uint64_t>(calls)) << "each call is counted once";
    }
  }

  std::mt19937 random_;
  ChoiceRule rule_;
  int nodes_ = 1, usual_ = 8;
  std::vector<Chooser> choosers_;
  std::vector<int> node_of_;
  std::vector<double> slowness_;  // a rank's clock beside the others'
  bool finds_nodes_ = true, has_inherited_ = false, can_read_ = false;
  std::size_t cap_ = 0, share_ = 0, bytes_ = 0, total_ = 8;
  double own_cost_ = 1;
  std::set<std::pair<CallKind, int>> refused_;
  // Of this call.
  std::vector<std::size_t> widest_;
  CallKind kind_ = equal_blocks;
  bool uniform_ = false, heard_any_ = false, has_data_ = false, was_hindered_ = false, reads_ = false;
  int moves_ = 0, mpi_calls_ = 0, unasked_ = 0, agreements_ = 0;
};

class Histories : public testing::TestWithParam<ChoiceRule> {};

TEST_P(Histories, keep_all_ranks_together_move_data_once_and_end) {
  for (unsigned seed = 1; seed <= 150 && !HasFailure(); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    World(seed, GetParam()).run(1500);
  }
}

const char* word_for(const ChoiceRule& rule) {
  return rule.measures() ? "measured" : rule.always ? "always" : "with_a_limit";
}
}  // namespace

void PrintTo(const ChoiceRule& rule, std::ostream* out) { *out << word_for(rule); }

namespace {

INSTANTIATE_TEST_SUITE_P(, Histories, testing::Values(measured, always, up_to_a_kibibyte),
                         [](const auto& rule) { return word_for(rule.param); });

}  // namespace
}  // namespace atrium::mpi
