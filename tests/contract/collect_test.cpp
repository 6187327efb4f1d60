// What every algorithm of collect and fcollect must do.
// SPDX-License-Identifier: BSD-3-Clause
#include "coll/collect/collect.hpp"

#include <cstring>

#include "test_job.hpp"

namespace atrium {
namespace {

int value_of(int pe, long round, size_t i) {
  return pe * 100000 + static_cast<int>(round) * 1000 + static_cast<int>(i % 997);
}

void fill(int* source, size_t n, int pe, long round) {
  for (size_t i = 0; i < n; ++i) source[i] = value_of(pe, round, i);
}

// Where the next member's block begins; nullptr when this one is wrong.
const int* check_block(const int* block, size_t n, int pe, long round) {
  for (size_t i = 0; i < n; ++i) {
    if (block[i] != value_of(pe, round, i)) return nullptr;
  }
  return block + n;
}

template <class CountOf>
bool holds(const int* dest, int size, long round, CountOf count_of) {
  for (int pe = 0; pe < size && dest; ++pe) dest = check_block(dest, count_of(pe), pe, round);
  return dest != nullptr;
}

class Fcollect : public testing::TestWithParam<std::string> {
 protected:
  void force() { (void)fcollects.force(GetParam()); }
};
class Collect : public testing::TestWithParam<std::string> {
 protected:
  void force() { (void)collects.force(GetParam()); }
};

INSTANTIATE_TEST_SUITE_P(fcollect, Fcollect, testing::ValuesIn(names_of(fcollects)), name_of_parameter);
INSTANTIATE_TEST_SUITE_P(collect, Collect, testing::ValuesIn(names_of(collects)), name_of_parameter);

TEST_P(Fcollect, blocks_lie_in_the_order_of_the_members) {
  for (int size : job_sizes) {
    TestJob(size).run([&](TestPe& pe) {
      force();
      auto* source = pe.allocate<int>(10000);
      auto* dest = pe.allocate<int>(10000 * 16);
      long round = 0;
      for (size_t n : {1, 30, 31, 512, 513, 10000}) {
        fill(source, n, pe.me, ++round);
        sync(world_team);
        fcollect(world_team, dest, source, n);
        pe.expect(holds(dest, size, round, [&](int) { return n; }), "wrong blocks of " + std::to_string(n));
      }
    });
  }
}

TEST_P(Fcollect, the_next_may_begin_at_once_with_another_source) {
  constexpr size_t most = 700;
  for (int size : job_sizes) {
    TestJob(size).run([&](TestPe& pe) {
      force();
      auto* source = pe.allocate<int>(most);
      auto* dest = pe.allocate<int>(most * 16 * 2);
      for (long round = 0; round < 200; ++round) {
        const size_t n = round % 3 == 0 ? 5 : round % 3 == 1 ? 100 : most;
        int* mine = dest + static_cast<size_t>(round % 2) * most * 16;
        fill(source, n, pe.me, round);
        fcollect(world_team, mine, source, n);
        std::memset(source, 0xff, n * sizeof(int));
        pe.expect(holds(mine, size, round, [&](int) { return n; }),
                  "wrong in round " + std::to_string(round));
      }
    });
  }
}

// Members bring different numbers of elements, none among them.
size_t count_of(int pe, long round) {
  constexpr size_t counts[] = {0, 1, 28, 29, 3, 509, 510, 4000, 0, 7};
  return counts[static_cast<size_t>(pe + round) % std::size(counts)];
}

TEST_P(Collect, members_may_bring_different_numbers_of_elements) {
  for (int size : job_sizes) {
    TestJob(size).run([&](TestPe& pe) {
      force();
      auto* source = pe.allocate<int>(4000);
      auto* dest = pe.allocate<int>(4000 * 16 * 2);
      for (long round = 0; round < 100; ++round) {
        int* mine = dest + static_cast<size_t>(round % 2) * 4000 * 16;
        fill(source, count_of(pe.me, round), pe.me, round);
        collect(world_team, mine, source, count_of(pe.me, round));
        std::memset(source, 0xff, 4000 * sizeof(int));
        const bool right = holds(mine, size, round, [&](int member) { return count_of(member, round); });
        pe.expect(right, "wrong in round " + std::to_string(round));
      }
    });
  }
}

TEST_P(Collect, a_member_that_brings_nothing_may_pass_null) {
  for (int size : job_sizes) {
    TestJob(size).run([&](TestPe& pe) {
      force();
      auto* source = pe.allocate<int>(100000);
      auto* dest = pe.allocate<int>(100000 * 16);
      for (size_t n : {2, 26, 27, 511, 10000, 100000}) {
        fill(source, n, pe.me, 0);
        for (int without : {0, size / 2, size - 1}) {
          const auto count_of = [&](int member) { return member == without ? 0 : n; };
          const int* const mine = pe.me == without ? nullptr : source;
          collect(world_team, dest, mine, count_of(pe.me));
          pe.expect(holds(dest, size, 0, count_of),
                    "wrong blocks of " + std::to_string(n) + " without PE " + std::to_string(without));
          sync(world_team);
        }
      }
    });
  }
}

TEST_P(Collect, nobody_brings_anything) {
  TestJob(3).run([&](TestPe&) {
    force();
    for (int round = 0; round < 10; ++round) collect<int>(world_team, nullptr, nullptr, 0);
  });
}

}  // namespace
}  // namespace atrium
