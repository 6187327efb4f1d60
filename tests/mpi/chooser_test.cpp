// The chooser: rows of its table, and its back-off.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <utility>

#include "chooser_parts.hpp"

namespace atrium::mpi {
namespace {

// One call of a kind where there is memory and nothing fails; answers whether it went our way.
bool goes_our_way(Chooser& chooser, std::size_t bytes, CallKind kind, std::int64_t own_ns = 1000) {
  if (chooser.leaves_to_mpi(bytes, bytes, kind)) return time_ns += 1000, false;
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

TEST(Chooser, leaves_the_first_calls_of_different_sizes_to_the_mpi_unless_told_otherwise) {
  Chooser chooser(measured, read_clock), told(always, read_clock);
  for (int call = 0; call < 4; ++call) {
    ASSERT_EQ(chooser.begin_varying(8), NextStep::call_mpi);
    ASSERT_EQ(chooser.called_mpi(), NextStep::done);
  }
  EXPECT_EQ(chooser.begin_varying(8), NextStep::find_nodes);
  EXPECT_EQ(told.begin_varying(8), NextStep::find_nodes);
}

// Counted in small calls; a call of 16 KiB is nine.
TEST(Chooser, leaves_the_first_calls_of_a_communicator_to_the_mpi) {
  for (const bool large : {false, true}) {
    Chooser chooser(measured, read_clock);
    chooser.set_rule(float_sums, {false, 1 << 20, 4});
    chooser.leave_first_calls(64);
    const std::int64_t reads = clock_reads;
    int calls = 0;
    for (; chooser.has_first_calls_left(); ++calls)
      ASSERT_FALSE(goes_our_way(chooser, large ? 16 << 10 : 8, calls % 2 ? float_sums : reductions));
    EXPECT_EQ(calls, large ? 8 : 64);
    EXPECT_EQ(clock_reads, reads) << "nobody times them";
    for (; calls < 80; ++calls) goes_our_way(chooser, 8, calls % 2 ? float_sums : reductions);
    EXPECT_TRUE(goes_our_way(chooser, 8, float_sums));
    int times_counted = 0;
    chooser.for_each_record([&](const char*, int, const ChoiceRecord& record) {
      times_counted += static_cast<int>(record.tally.calls);
    });
    EXPECT_EQ(times_counted, 81);
  }
}

TEST(Chooser, tries_our_way_in_the_first_calls_where_a_rule_asks_for_it) {
  Chooser chooser(measured, read_clock);
  chooser.set_rule(barriers, always);
  chooser.leave_first_calls(64);
  EXPECT_TRUE(goes_our_way(chooser, 0, barriers));
  EXPECT_FALSE(goes_our_way(chooser, 8, reductions));
  chooser.inherit({}, Way::own);  // the nodes are known
  for (int call = 0; call < 3; ++call) goes_our_way(chooser, 8, reductions);
  EXPECT_TRUE(goes_our_way(chooser, 8, reductions));
}

// The short way of a call is the same as the long one.
TEST(Chooser, counts_calls_that_it_leaves_to_the_mpi) {
  Chooser chooser(measured, read_clock);
  for (int call = 0; call < 100; ++call) goes_our_way(chooser, 8, barriers, 5000);
  std::uint64_t left = 0, made = 0;
  for (int call = 0; call < 10000; ++call)
    chooser.leaves_to_mpi(8, 8, barriers) ? ++left : (goes_our_way(chooser, 8, barriers, 5000), ++made);
  EXPECT_GT(left, 9000u);
  EXPECT_GT(made, 9u) << "it is tried again";
  chooser.for_each_record(
      [&](const char*, int, const ChoiceRecord& record) { EXPECT_EQ(record.tally.calls, 10100u); });
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

// Calls of a class until one is asked for: how many were not. The ways of a limit need no times.
int unasked_calls(Chooser& chooser, std::size_t widest, bool on_one_node) {
  for (int unasked = 0;; ++unasked) {
    if (chooser.leaves_varying_to_mpi(1)) continue;
    EXPECT_EQ(chooser.begin_varying(1), NextStep::find_nodes);
    const NextStep step = chooser.found_nodes(true, on_one_node);
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
  for (const bool on_one_node : {false, true}) {
    Chooser chooser = past_its_first_calls();
    for (int expected : {0, 0, 0, 0, 4, 8, 16, 32, 64, 64, 64})
      EXPECT_EQ(unasked_calls(chooser, 4096, on_one_node), expected);
  }
}

TEST(Chooser, begins_its_back_off_anew_after_a_call_that_went_our_way) {
  for (const bool on_one_node : {false, true}) {
    Chooser chooser = past_its_first_calls();
    for (int asked = 0; asked < 7; ++asked) unasked_calls(chooser, 4096, on_one_node);
    for (int unasked = 0; unasked < 32; ++unasked) ASSERT_TRUE(chooser.leaves_varying_to_mpi(1));
    ASSERT_FALSE(chooser.leaves_varying_to_mpi(1));
    chooser.begin_varying(1);
    ASSERT_EQ(chooser.found_nodes(true, on_one_node), NextStep::exchange);
    NextStep step = chooser.exchanged(heard(CallVerdict::go, 1, 8));
    if (step == NextStep::grow) {  // on one node it was put down only now
      ASSERT_EQ(chooser.grown(true), NextStep::exchange);
      ASSERT_EQ(chooser.exchanged(heard(CallVerdict::go, 1, 8)), NextStep::take);
      step = chooser.taken(CallVerdict::go);
    }
    ASSERT_EQ(step, NextStep::done);
    for (int expected : {0, 0, 0, 0, 4}) EXPECT_EQ(unasked_calls(chooser, 4096, on_one_node), expected);
  }
}

}  // namespace
}  // namespace atrium::mpi
