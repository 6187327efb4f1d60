// The chooser: rows of its table, its back-off, and random histories of all ranks of a communicator against what must
// hold in each of them.
// SPDX-License-Identifier: BSD-3-Clause
#include "choice/chooser.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <utility>
#include <vector>

namespace atrium::mpi {
namespace {

std::int64_t time_ns, clock_reads;

std::int64_t read_clock() {
  ++clock_reads;
  return time_ns;
}

CallHeader heard(CallVerdict verdict, std::uint64_t need, std::uint64_t widest) {
  return {verdict, need, widest};
}

// ---- Rows of the table ----

constexpr ChoiceRule measured{}, always{true, 0}, up_to_a_kibibyte{false, 1024};

TEST(Chooser, leaves_the_first_calls_of_different_sizes_to_the_mpi_unless_told_otherwise) {
  Chooser chooser(measured, read_clock), told(always, read_clock);
  for (int call = 0; call < 4; ++call) {
    ASSERT_EQ(chooser.begin_varying(8), NextStep::call_mpi);
    ASSERT_EQ(chooser.called_mpi(), NextStep::done);
  }
  EXPECT_EQ(chooser.begin_varying(8), NextStep::find_nodes);
  EXPECT_EQ(told.begin_varying(8), NextStep::find_nodes);
}

TEST(Chooser, never_grows_again_for_a_class_for_which_there_was_no_memory) {
  Chooser chooser(measured, read_clock);
  NextStep step = NextStep::done;
  while (step != NextStep::grow)  // the first burst is the MPI's
    if (step = chooser.begin_uniform(64, 64); step == NextStep::call_mpi) step = chooser.called_mpi();
  ASSERT_EQ(chooser.grown(false), NextStep::call_mpi);
  ASSERT_EQ(chooser.called_mpi(), NextStep::done);
  for (int call = 0; call < 10000; ++call) {
    ASSERT_EQ(chooser.begin_uniform(64, 64), NextStep::call_mpi);
    ASSERT_EQ(chooser.called_mpi(), NextStep::done);
  }
}

// One call of a kind where there is memory and nothing fails; answers whether it went our way.
bool goes_our_way(Chooser& chooser, std::size_t bytes, CallKind kind, std::int64_t own_ns = 1000) {
  NextStep step = chooser.begin_uniform(bytes, bytes, kind);
  const bool own = step == NextStep::grow;
  if (own) step = chooser.grown(true);
  time_ns += own ? own_ns : 1000;
  if (own) step = chooser.exchanged(heard(CallVerdict::go, 0, 0));
  if (!own) step = chooser.called_mpi();
  if (step == NextStep::agree) step = chooser.agreed(chooser.measured(), {});
  EXPECT_EQ(step, NextStep::done);
  return own;
}

TEST(Chooser, chooses_the_way_of_a_size_by_its_number_where_no_time_may_decide) {
  Chooser chooser(measured, read_clock);
  chooser.set_rule(float_sums, {false, 1024, 4});
  const std::int64_t reads = clock_reads;
  for (std::size_t bytes : {8, 1024})
    for (int call = 0; call < 1000; ++call)
      ASSERT_EQ(goes_our_way(chooser, bytes, float_sums), call >= 4) << bytes << " bytes, call " << call;
  for (int call = 0; call < 10; ++call) EXPECT_FALSE(goes_our_way(chooser, 1025, float_sums));
  EXPECT_EQ(clock_reads, reads);
}

// The first calls come before the nodes are known, and so before anything is preferred.
TEST(Chooser, prefers_a_way_also_for_sizes_that_were_met_before_the_nodes_were_known) {
  for (Way preferred : {Way::mpi, Way::own}) {
    Chooser chooser(measured, read_clock);
    for (std::size_t bytes : {64, 1 << 20}) goes_our_way(chooser, bytes, equal_blocks);
    chooser.inherit({}, preferred);
    for (int call = 0; call < 200; ++call)
      for (std::size_t bytes : {64, 1 << 20}) goes_our_way(chooser, bytes, equal_blocks);
    chooser.for_each_record([&](const char*, int size, const ChoiceRecord& record) {
      EXPECT_TRUE(record.choice.is_settled());
      EXPECT_EQ(record.choice.chosen(), size == 6 ? preferred : Way::mpi) << "both ways cost the same";
    });
  }
}

TEST(Chooser, learns_of_each_kind_of_call_by_itself) {
  Chooser chooser(measured, read_clock);
  for (int call = 0; call < 200; ++call) goes_our_way(chooser, 64, reductions, 500);
  EXPECT_TRUE(chooser.experience().findings(reductions, 6).are_of_one_opinion());
  for (CallKind kind : {equal_blocks, different_blocks, float_sums, broadcasts, barriers})
    EXPECT_FALSE(chooser.experience().findings(kind, 6).are_of_one_opinion()) << names_of_kinds[kind];
}

TEST(Chooser, counts_an_exchange_that_fell_back_as_ours) {
  Chooser chooser(always, read_clock);
  ASSERT_EQ(chooser.begin_uniform(64, 640), NextStep::grow);
  ASSERT_EQ(chooser.grown(true), NextStep::exchange);
  ASSERT_EQ(chooser.exchanged(heard(CallVerdict::fallback, 0, 0)), NextStep::call_mpi);
  ASSERT_EQ(chooser.called_mpi(), NextStep::done);
  chooser.for_each_record([](const char*, int size_class, const ChoiceRecord& record) {
    EXPECT_EQ(size_class, 6);
    EXPECT_EQ(record.tally.own_calls, 1u);
    EXPECT_EQ(record.tally.bytes, 640u);
  });
}

TEST(Chooser, puts_data_down_in_a_second_step_where_the_call_is_of_another_class_than_expected) {
  Chooser chooser(up_to_a_kibibyte, read_clock);
  const auto run = [&](std::size_t widest, bool expects_data) {
    for (NextStep step = chooser.begin_varying(widest); step != NextStep::done;) switch (step) {
        case NextStep::find_nodes:
          step = chooser.found_nodes(true, true);
          break;
        case NextStep::exchange:
          EXPECT_EQ(chooser.sends_data(0), expects_data);
          return chooser.exchanged(heard(CallVerdict::go, 64, widest));
        default:
          step = chooser.called_mpi();
      }
    return NextStep::done;
  };
  for (int call = 0; call < 4; ++call) run(4096, true);
  ASSERT_EQ(run(4096, true), NextStep::call_mpi);  // its data has been put down for nothing
  ASSERT_EQ(chooser.called_mpi(), NextStep::done);
  ASSERT_EQ(run(4096, false), NextStep::call_mpi);
  ASSERT_EQ(chooser.called_mpi(), NextStep::done);
  ASSERT_EQ(run(512, false), NextStep::grow);
  ASSERT_EQ(chooser.grown(true), NextStep::exchange);
  EXPECT_TRUE(chooser.sends_data(0));
  ASSERT_EQ(chooser.exchanged(heard(CallVerdict::go, 64, 512)), NextStep::take);
  EXPECT_EQ(chooser.taken(CallVerdict::go), NextStep::done);
}

// What a call of equal blocks on one node takes each way; how it went.
struct Costs {
  std::int64_t mpi_ns, copied_ns, read_ns;
};
enum class Went { by_mpi, copied, was_read };

Went run_readable(Chooser& chooser, const Costs& costs, std::size_t bytes = 1 << 18) {
  NextStep step = chooser.begin_uniform(bytes, bytes, equal_blocks);
  Went went = Went::by_mpi;
  if (step == NextStep::grow) {
    went = chooser.chooses_to_read() ? Went::was_read : Went::copied;
    step = chooser.grown(true);
    time_ns += went == Went::was_read ? costs.read_ns : costs.copied_ns;
    step = chooser.exchanged(heard(CallVerdict::go, 0, 0));
  } else {
    time_ns += costs.mpi_ns;
    step = chooser.called_mpi();
  }
  while (step == NextStep::agree) step = chooser.agreed(chooser.measured(), {});
  EXPECT_EQ(step, NextStep::done);
  return went;
}

TEST(Chooser, finds_the_cheapest_of_the_mpis_way_copies_and_reads) {
  const std::pair<Costs, Went> cases[] = {
      {{1000, 1500, 600}, Went::was_read}, {{1000, 600, 1500}, Went::copied},
      {{1000, 700, 600}, Went::was_read},  {{1000, 800, 1200}, Went::copied},
      {{600, 1500, 1000}, Went::by_mpi},   {{600, 1000, 1500}, Went::by_mpi}};
  for (const auto& [costs, expected] : cases) {
    Chooser chooser(measured, read_clock);
    int as_expected = 0;
    for (int call = 0; call < 400; ++call) run_readable(chooser, costs);
    for (int call = 0; call < 1000; ++call) as_expected += run_readable(chooser, costs) == expected;
    EXPECT_GE(as_expected, 900) << costs.mpi_ns << " " << costs.copied_ns << " " << costs.read_ns;
  }
}

TEST(Chooser, tries_no_reads_of_small_blocks_unless_told_so) {
  Chooser chooser(measured, read_clock), told(measured, read_clock);
  told.set_rule(reads_of_equal, always);
  for (int call = 0; call < 300; ++call) {
    EXPECT_NE(run_readable(chooser, {1000, 800, 1}, 4096), Went::was_read);
    EXPECT_NE(run_readable(told, {1000, 800, 900}, 1), Went::copied);
  }
}

TEST(Chooser, reads_no_more_after_a_read_that_failed) {
  Chooser chooser(always, read_clock);
  ASSERT_EQ(chooser.begin_uniform(1 << 20, 1), NextStep::grow);
  ASSERT_TRUE(chooser.chooses_to_read());
  ASSERT_EQ(chooser.grown(true), NextStep::exchange);
  ASSERT_EQ(chooser.exchanged(heard(CallVerdict::fallback, 0, 0)), NextStep::call_mpi);
  ASSERT_EQ(chooser.called_mpi(), NextStep::done);
  for (int size = 10; size < 30; ++size) {
    ASSERT_EQ(chooser.begin_uniform(std::size_t{1} << size, 1), NextStep::grow);
    ASSERT_FALSE(chooser.chooses_to_read());
    chooser.has_to_read();
    ASSERT_FALSE(chooser.reads());
    ASSERT_EQ(chooser.grown(true), NextStep::exchange);
    ASSERT_EQ(chooser.exchanged(heard(CallVerdict::go, 0, 0)), NextStep::done);
  }
}

// Calls of a class between nodes until one is asked for: how many were not. The ways of a limit need no times.
int unasked_calls(Chooser& chooser, std::size_t widest) {
  for (int unasked = 0;; ++unasked) {
    EXPECT_EQ(chooser.begin_varying(1), NextStep::find_nodes);
    const NextStep step = chooser.found_nodes(true, false);
    const bool asked = step == NextStep::exchange;
    if (asked && chooser.exchanged(heard(CallVerdict::no_data, 1, widest)) != NextStep::call_mpi) return -1;
    EXPECT_EQ(chooser.called_mpi(), NextStep::done);
    if (asked) return unasked;
  }
}

Chooser past_its_first_calls() {
  Chooser chooser(up_to_a_kibibyte, read_clock);
  for (int call = 0; call < 4; ++call) chooser.begin_varying(1), chooser.called_mpi();
  return chooser;
}

TEST(Chooser, backs_off_for_longer_and_longer_up_to_64_calls) {
  Chooser chooser = past_its_first_calls();
  for (int expected : {0, 0, 0, 0, 4, 8, 16, 32, 64, 64, 64})
    EXPECT_EQ(unasked_calls(chooser, 4096), expected);
}

TEST(Chooser, begins_its_back_off_anew_after_a_call_that_went_our_way) {
  Chooser chooser = past_its_first_calls();
  for (int asked = 0; asked < 7; ++asked) unasked_calls(chooser, 4096);
  for (int unasked = 0; unasked < 32; ++unasked) {
    chooser.begin_varying(1);
    ASSERT_EQ(chooser.found_nodes(true, false), NextStep::call_mpi);
    chooser.called_mpi();
  }
  chooser.begin_varying(1);
  ASSERT_EQ(chooser.found_nodes(true, false), NextStep::exchange);
  ASSERT_EQ(chooser.exchanged(heard(CallVerdict::go, 1, 8)), NextStep::done);
  for (int expected : {0, 0, 0, 0, 4}) EXPECT_EQ(unasked_calls(chooser, 4096), expected);
}

// ---- Random histories ----

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
      return uniform ? chooser.begin_uniform(bytes_, total_, kind_) : chooser.begin_varying(total_);
    });
    int steps = 0;
    for (; step != NextStep::done; step = carry_out(step)) {
      ASSERT_LE(++steps, 10) << "a call must end";
      if (testing::Test::HasFatalFailure()) return;
    }
    EXPECT_EQ(moves_ + mpi_calls_, 1) << "data is moved once, by the MPI or by us";
    EXPECT_TRUE(!rule_.always || was_hindered_ || !mpi_calls_) << "who always goes our way does so if it can";
    EXPECT_TRUE(rule_.measures() || clock_reads == reads_before) << "who measures nothing needs no time";
    if (!uniform && nodes_ > 1 && finds_nodes_) {
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
        was_hindered_ = was_hindered_ || (!uniform_ && nodes_ > 1 && !heard_any_);  // it backs off
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
    for (const Chooser& chooser : choosers_) {
      std::uint64_t sum = 0;
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
