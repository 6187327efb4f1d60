// What every scan algorithm must do.
// SPDX-License-Identifier: BSD-3-Clause
#include "coll/scan/scan.hpp"

#include "test_job.hpp"

namespace atrium {
namespace {

class Scans : public testing::TestWithParam<std::string> {
 protected:
  void force() { (void)scans.force(GetParam()); }
};

INSTANTIATE_TEST_SUITE_P(scan, Scans, testing::ValuesIn(names_of(scans)), name_of_parameter);

template <class T>
T value_of(int pe, long round, size_t i) {
  return static_cast<T>(static_cast<size_t>(pe + 1) * 2 + static_cast<size_t>(round) + i % 13);
}

template <class T>
void scan_and_check(TestPe& pe, T* dest, T* source, size_t n, long round, Scan scan) {
  for (size_t i = 0; i < n; ++i) source[i] = value_of<T>(pe.me, round, i);
  scan == Scan::inclusive ? inscan(world_team, dest, source, n) : exscan(world_team, dest, source, n);
  size_t wrong = 0;
  for (size_t i = 0; i < n; ++i) {
    T sum{};
    for (int member = 0; member < pe.me + (scan == Scan::inclusive); ++member)
      sum += value_of<T>(member, round, i);
    wrong += dest[i] != sum;
  }
  pe.expect(wrong == 0, std::to_string(wrong) + " of " + std::to_string(n) + " elements wrong");
}

template <class T>
void scan_both_ways(TestPe& pe, T* dest, T* source, size_t n, long& round) {
  scan_and_check(pe, dest, source, n, ++round, Scan::inclusive);
  sync(world_team);
  scan_and_check(pe, dest, source, n, ++round, Scan::exclusive);
  sync(world_team);
}

TEST_P(Scans, each_member_gets_the_sum_of_those_before_it) {
  for (int size : job_sizes) {
    TestJob(size).run([&](TestPe& pe) {
      force();
      auto* source = pe.allocate<long>(20000);
      auto* dest = pe.allocate<long>(20000);
      long round = 0;
      for (size_t n : {1, 15, 16, 256, 257, 20000}) scan_both_ways(pe, dest, source, n, round);
    });
  }
}

TEST_P(Scans, in_place_is_safe) {
  for (int size : job_sizes) {
    TestJob(size).run([&](TestPe& pe) {
      force();
      auto* data = pe.allocate<double>(9000);
      long round = 0;
      for (size_t n : {1, 15, 100, 257, 9000, 2}) {
        scan_and_check(pe, data, data, n, ++round, Scan::inclusive);
        scan_and_check(pe, data, data, n, ++round, Scan::exclusive);
      }
    });
  }
}

TEST_P(Scans, rounds_follow_each_other_without_a_sync) {
  for (int size : job_sizes) {
    TestJob(size).run([&](TestPe& pe) {
      force();
      auto* source = pe.allocate<int>(600);
      auto* dest = pe.allocate<int>(600 * 2);
      for (long round = 0; round < 200; ++round) {
        const size_t n = round % 3 == 0 ? 6 : round % 3 == 1 ? 400 : 600;
        scan_and_check(pe, dest + (round % 2) * 600, source, n, round,
                       round % 5 < 3 ? Scan::inclusive : Scan::exclusive);
      }
    });
  }
}

TEST_P(Scans, long_doubles_and_small_integers) {
  TestJob(4).run([&](TestPe& pe) {
    force();
    long round = 0;
    for (size_t n : {3, 7, 50, 1000}) {
      scan_both_ways(pe, pe.allocate<long double>(n), pe.allocate<long double>(n), n, round);
      scan_both_ways(pe, pe.allocate<uint8_t>(n), pe.allocate<uint8_t>(n), n, round);
    }
  });
}

}  // namespace
}  // namespace atrium
