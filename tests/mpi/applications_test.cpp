// Applications that make few calls of each size: what their communicators decide in the first hundred, with noise.
// SPDX-License-Identifier: BSD-3-Clause
//
// Rows and columns are those of the table of regrets. Of each application the table says how many choices are settled on
// the better way after a hundred calls of each size, and what all calls cost above the better way.
#include <gtest/gtest.h>

#include <cstdio>
#include <string>
#include <vector>

#include "choice/chooser.hpp"
#include "choice/experience_book.hpp"
#include "chooser_parts.hpp"
#include "noise.hpp"

namespace atrium::mpi {
namespace {

constexpr int calls_of_a_size = 100, runs = 10;

struct Application {
  const char* name;
  int communicators, sizes;
};

// One process of an application; the others do the same, since what they measure is agreed on.
class Process {
 public:
  Process(const Application& application, const Named& row, double gain, unsigned seed)
      : application_(application), row_(row), random_(seed), own_ns_(mpi_ns / gain) {
    call_ = static_cast<int>(random_() % 1000);
    for (int each = 0; each < application.communicators; ++each)
      choosers_.emplace_back(ChoiceRule{}, read_clock);
    has_nodes_.assign(choosers_.size(), false);
  }

  void run() {
    for (int round = 0; round < calls_of_a_size; ++round)
      for (std::size_t each = 0; each < choosers_.size(); ++each)
        for (int size = 0; size < application_.sizes; ++size) call(each, size);
  }

  double regret() const { return spent_ / least_ - 1; }
  int undecided() const {
    return count([](const Choice& choice) { return !choice.is_settled(); });
  }
  int right() const {
    const Way better = own_ns_ < mpi_ns ? Way::own : Way::mpi;
    return count([&](const Choice& choice) {
      return choice.is_settled() && (choice.chosen() == better || own_ns_ == mpi_ns);
    });
  }

 private:
  template <class Holds>
  int count(Holds holds) const {
    int sum = 0;
    for (const Chooser& chooser : choosers_)
      chooser.for_each_record(
          [&](const char*, int, const ChoiceRecord& record) { sum += holds(record.choice); });
    return sum;
  }

  void spend(double cost) {
    const double took = row_.noise(random_, cost, call_++), noise = row_.counts ? took - cost : 0;
    time_ns += static_cast<std::int64_t>(took);
    spent_ += cost + noise;
    least_ += std::min(own_ns_, mpi_ns) + noise;
  }

  void call(std::size_t which, int size) {
    Chooser& chooser = choosers_[which];
    const std::size_t bytes = std::size_t{1} << size;
    for (NextStep step = chooser.begin_uniform(bytes, bytes); step != NextStep::done;) switch (step) {
        case NextStep::grow:
          if (!has_nodes_[which]) chooser.inherit(book_.of("shape"), Way::own);
          has_nodes_[which] = true;
          step = chooser.grown(true);
          break;
        case NextStep::exchange:
          spend(own_ns_);
          step = chooser.exchanged({CallVerdict::go, 0, 0});
          break;
        case NextStep::agree:
          step = chooser.agreed(chooser.measured(), chooser.findings(book_.of("shape")));
          book_.note("shape", chooser.experience());
          break;
        default:
          spend(mpi_ns);
          step = chooser.called_mpi();
      }
  }

  Application application_;
  const Named& row_;
  Random random_;
  double own_ns_, spent_ = 0, least_ = 0;
  int call_ = 0;
  std::vector<Chooser> choosers_;
  std::vector<bool> has_nodes_;
  ExperienceBook book_;
};

void play(const Application& application, const std::vector<Named>& rows) {
  std::printf("%-46s", application.name);
  for (double gain : gains) std::printf("  %11.2f", gain);
  std::printf("\n");
  for (const Named& row : rows) {
    std::printf("%-46s", row.name.c_str());
    for (double gain : gains) {
      double regret = 0, right = 0;
      for (unsigned seed = 1; seed <= runs; ++seed) {
        Process process(application, row, gain, seed);
        process.run();
        EXPECT_EQ(process.undecided(), 0) << row.name << ", gain " << gain;
        regret += process.regret() / runs;
        right +=
            static_cast<double>(process.right()) / (application.communicators * application.sizes) / runs;
      }
      std::printf("  %4.1f%% %4.0f%%", 100 * regret, 100 * right);
      // Recorded noise is many times what ways differ by; then the wrong one costs little.
      if (!row.counts && std::max(gain, 1 / gain) > 1.9) {
        EXPECT_GE(right, 0.9) << row.name << ", gain " << gain;
      }
    }
    std::printf("\n");
  }
}

TEST(Regret, of_many_sizes_is_decided_on_within_a_hundred_calls_of_each) {
  const Application cp2k{"29 sizes of one communicator", 1, 29};
  play(cp2k, made_up());
  play(cp2k, recorded());
}

TEST(Regret, of_many_communicators_is_decided_on_within_a_hundred_calls_of_each) {
  const Application lammps{"8 communicators of 3 sizes", 8, 3};
  play(lammps, made_up());
  play(lammps, recorded());
}

}  // namespace
}  // namespace atrium::mpi
