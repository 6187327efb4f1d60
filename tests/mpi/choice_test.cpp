// The choice between two ways, with costs that are made up: it finds the better one, and the search costs
// little.
// SPDX-License-Identifier: BSD-3-Clause
#include "choice/choice.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>

namespace atrium::mpi {
namespace {

double cost(Way way, double mpi_ns, double own_ns) { return way == Way::own ? own_ns : mpi_ns; }

// One call; returns what it cost.
double call(Choice& choice, double mpi_ns, double own_ns) {
  const double took = cost(choice.next(), mpi_ns, own_ns);
  choice.took(took);
  if (choice.is_complete()) choice.decide(choice.measured());
  return took;
}

double run(Choice& choice, int calls, double mpi_ns, double own_ns) {
  double sum = 0;
  for (int i = 0; i < calls; ++i) sum += call(choice, mpi_ns, own_ns);
  return sum;
}

TEST(Choice, finds_the_better_way_and_pays_at_most_a_twentieth_for_the_search) {
  for (double own_ns : {100.0, 500.0, 900.0, 990.0, 1010.0, 1100.0, 2000.0, 5000.0}) {
    Choice choice;
    const int calls = 4000;
    EXPECT_LE(run(choice, calls, 1000, own_ns), 1.05 * calls * std::min(1000.0, own_ns)) << own_ns;
  }
}

TEST(Choice, changes_its_mind_when_the_costs_change) {
  Choice choice;
  run(choice, 100, 1000, 500);
  EXPECT_EQ(choice.chosen(), Way::own);
  run(choice, 5000, 400, 500);
  EXPECT_EQ(choice.chosen(), Way::mpi);
}

TEST(Choice, begins_with_the_mpis_own_routine) { EXPECT_EQ(Choice().next(), Way::mpi); }

TEST(Choice, leaves_ties_to_the_mpi) {
  Choice choice;
  run(choice, 100, 1000, 995);
  EXPECT_EQ(choice.chosen(), Way::mpi);
}

// A call that is disturbed makes its burst look dear; a burst that was lucky does not decide alone.
TEST(Choice, is_not_misled_by_one_lucky_burst) {
  Choice choice;
  for (int burst = 0; !choice.is_settled(); ++burst)
    for (int i = 0; i < 3; ++i) call(choice, 1000, burst == 1 ? 800 : 1100);
  EXPECT_EQ(choice.chosen(), Way::mpi);
}

TEST(Choice, is_not_misled_by_a_load_that_comes_and_goes) {
  for (int period : {4, 8, 16, 32}) {
    Choice choice;
    for (int i = 0; !choice.is_settled(); ++i) {
      const double load = i / period % 2 ? 3 : 1;
      call(choice, 1000 * load, 1050 * load);
    }
    EXPECT_EQ(choice.chosen(), Way::mpi) << period;
  }
}

TEST(Choice, never_tries_again_what_it_gave_up) {
  Choice choice;
  choice.give_up();
  EXPECT_EQ(run(choice, 10000, 3, 1), 30000);
}

TEST(Choice, is_settled_within_its_first_hundred_calls_whatever_the_noise) {
  for (unsigned seed = 1; seed <= 200; ++seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<> chance(1, 20);
    Choice choice;
    int calls = 0;
    for (; !choice.is_settled(); ++calls) {
      choice.took(1000 * chance(random));
      if (choice.is_complete()) choice.decide(choice.measured());
    }
    EXPECT_LE(calls, 100);
  }
}

TEST(Choice, takes_what_others_have_learned_and_tries_it_before_long) {
  Choice right, wrong;
  for (Choice* choice : {&right, &wrong}) choice->inherit(Way::own);
  EXPECT_EQ(right.next(), Way::own);
  EXPECT_LE(run(right, 2000, 1000, 500), 1.02 * 2000 * 500);
  run(wrong, 200, 500, 1000);
  EXPECT_EQ(wrong.chosen(), Way::mpi);
}

TEST(Choice, does_not_take_what_its_own_bursts_speak_against) {
  Choice choice;
  for (int i = 0; choice.measured().count < 6 && !choice.is_settled(); ++i)
    choice.took(choice.next() == Way::own ? (i < 9 ? 5000 : 1400) : (i % 7 ? 1000 : 1300));
  choice.decide(choice.measured());
  ASSERT_EQ(compare(std::array<Pair, 1>{Pair{{1000, 1400}}}.data(), 1).cheaper(), Way::mpi);
  choice.inherit(Way::own);
  EXPECT_NE(choice.next() == Way::own && choice.is_settled(), true);
}

TEST(Comparison, is_sure_where_nothing_was_disturbed_and_unsure_where_much_was) {
  const Pair calm[] = {{{1000, 500}}, {{1010, 505}}, {{1000, 501}}};
  const Pair wild[] = {{{1000, 500}}, {{5000, 9000}}, {{9000, 3000}}};
  EXPECT_TRUE(compare(calm, 3).is_clear());
  EXPECT_EQ(compare(calm, 3).cheaper(), Way::own);
  EXPECT_DOUBLE_EQ(compare(calm, 3).ratio(), 2);
  EXPECT_FALSE(compare(wild, 3).is_clear());
  EXPECT_FALSE(compare(calm, 1).is_clear()) << "one pair says nothing";
}

TEST(Comparison, of_equal_costs_is_never_clear) {
  const Pair equal[] = {{{1000, 1000}}, {{1000, 1000}}, {{1000, 1000}}};
  EXPECT_EQ(compare(equal, 3).chance, 1);
}

TEST(Choice, tells_sizes_apart_by_powers_of_two) {
  EXPECT_EQ(size_class(0), 0);
  EXPECT_EQ(size_class(1), 0);
  EXPECT_EQ(size_class(8), 3);
  EXPECT_EQ(size_class(9), 4);
  EXPECT_EQ(size_class(~std::size_t{0}), size_classes - 1);
}

}  // namespace
}  // namespace atrium::mpi
