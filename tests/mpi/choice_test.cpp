// The choice between two ways, with costs that are made up: it finds the better one, and the search costs
// little.
// SPDX-License-Identifier: BSD-3-Clause
#include "choice/choice.hpp"

#include <gtest/gtest.h>

#include <algorithm>
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
    const int calls = 2000;
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
  for (int burst = 0; !choice.is_decided(); ++burst)
    for (int i = 0; i < 4; ++i) call(choice, 1000, burst == 1 ? 800 : 1100);
  EXPECT_EQ(choice.chosen(), Way::mpi);
}

TEST(Choice, is_not_misled_by_a_load_that_comes_and_goes) {
  for (int period : {4, 8, 16, 32}) {
    Choice choice;
    for (int i = 0; !choice.is_decided(); ++i) {
      const double load = i / period % 2 ? 3 : 1;
      call(choice, 1000 * load, 1050 * load);
    }
    EXPECT_EQ(choice.chosen(), Way::mpi) << period;
  }
}

// Every call takes up to twice its cost by chance, one in fifty ten times; the cost of a run is what its
// choices would cost without.
TEST(Choice, costs_at_most_a_twentieth_more_than_the_better_way_where_times_scatter) {
  for (double own_ns : {300.0, 700.0, 850.0, 930.0, 1070.0, 1150.0, 1500.0, 4000.0}) {
    std::mt19937 random(1);
    std::uniform_real_distribution<> chance(1, 2);
    double sum = 0;
    constexpr int runs = 50, calls = 5000;
    for (int run = 0; run < runs; ++run) {
      Choice choice;
      for (int i = 0; i < calls; ++i) {
        const double ns = cost(choice.next(), 1000, own_ns);
        sum += ns;
        choice.took(ns * chance(random) * (random() % 50 ? 1 : 10));
        if (choice.is_complete()) choice.decide(choice.measured());
      }
    }
    EXPECT_LE(sum, 1.05 * runs * calls * std::min(1000.0, own_ns)) << own_ns;
  }
}

TEST(Choice, never_tries_again_what_it_gave_up) {
  Choice choice;
  choice.give_up();
  EXPECT_EQ(run(choice, 10000, 3, 1), 30000);
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
