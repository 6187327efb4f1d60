// What every algorithm of alltoall and alltoalls must do.
// SPDX-License-Identifier: BSD-3-Clause
#include "coll/alltoall/alltoall.hpp"

#include <cstring>

#include "test_job.hpp"

namespace atrium {
namespace {

int value_of(int from, int to, long round, size_t i) {
  return from * 10000000 + to * 100000 + static_cast<int>(round) * 1000 + static_cast<int>(i % 997);
}

class Alltoall : public testing::TestWithParam<std::string> {
 protected:
  void force() { (void)alltoall_family.force(GetParam()); }
};

INSTANTIATE_TEST_SUITE_P(alltoall, Alltoall, testing::ValuesIn(names_of(alltoall_family)), name_of_parameter);

struct Strides {
  ptrdiff_t dest, source;
};

void fill(TestPe& pe, int* source, ptrdiff_t stride, size_t n, long round) {
  for (int to = 0; to < pe.size; ++to) {
    for (size_t i = 0; i < n; ++i) {
      source[stride * static_cast<ptrdiff_t>(static_cast<size_t>(to) * n + i)] =
          value_of(pe.me, to, round, i);
    }
  }
}

bool holds(TestPe& pe, const int* dest, ptrdiff_t stride, size_t n, long round) {
  for (int from = 0; from < pe.size; ++from) {
    for (size_t i = 0; i < n; ++i) {
      const int found = dest[stride * static_cast<ptrdiff_t>(static_cast<size_t>(from) * n + i)];
      if (found != value_of(from, pe.me, round, i)) return false;
    }
  }
  return true;
}

TEST_P(Alltoall, block_j_of_i_becomes_block_i_of_j) {
  constexpr size_t most = 6000;
  for (int size : job_sizes) {
    TestJob(size).run([&](TestPe& pe) {
      force();
      auto* source = pe.allocate<int>(most * 16);
      auto* dest = pe.allocate<int>(most * 16 * 2);
      long round = 0;
      for (size_t n : {size_t{1}, size_t{30}, size_t{31}, size_t{1000}, most, size_t{2}, size_t{3}}) {
        ++round;
        int* mine = dest + static_cast<size_t>(round % 2) * most * 16;
        fill(pe, source, 1, n, round);
        alltoall(world_team, mine, source, n);
        std::memset(source, 0xff, most * 16 * sizeof(int));
        pe.expect(holds(pe, mine, 1, n, round), "wrong blocks of " + std::to_string(n));
      }
    });
  }
}

TEST_P(Alltoall, strides_leave_what_lies_between_alone) {
  constexpr size_t most = 40;
  constexpr size_t bytes = most * 16 * 3 * sizeof(int);
  for (int size : {1, 2, 3, 7}) {
    TestJob(size).run([&](TestPe& pe) {
      force();
      auto* source = pe.allocate<int>(most * 16 * 3);
      auto* dest = pe.allocate<int>(most * 16 * 3);
      long round = 0;
      for (Strides strides : {Strides{1, 1}, Strides{2, 1}, Strides{1, 3}, Strides{3, 2}}) {
        for (size_t n : {size_t{1}, size_t{5}, most}) {
          ++round;
          fill(pe, source, strides.source, n, round);
          std::memset(dest, 0xee, bytes);
          sync(world_team);
          alltoalls(world_team, dest, source, strides.dest, strides.source, n);
          pe.expect(holds(pe, dest, strides.dest, n, round), "wrong elements");
          if (strides.dest > 1)
            pe.expect(dest[1] == static_cast<int>(0xeeeeeeee), "wrote between the elements");
          sync(world_team);
        }
      }
    });
  }
}

TEST_P(Alltoall, rounds_follow_each_other_without_a_sync) {
  for (int size : job_sizes) {
    TestJob(size).run([&](TestPe& pe) {
      force();
      auto* source = pe.allocate<int>(16 * 40);
      auto* dest = pe.allocate<int>(16 * 40 * 2);
      for (long round = 0; round < 300; ++round) {
        const size_t n = round % 2 == 0 ? 4 : 40;
        int* mine = dest + (round % 2) * 16 * 40;
        fill(pe, source, 1, n, round % 90);
        alltoall(world_team, mine, source, n);
        std::memset(source, 0xff, 16 * 40 * sizeof(int));
        pe.expect(holds(pe, mine, 1, n, round % 90), "wrong in round " + std::to_string(round));
      }
    });
  }
}

}  // namespace
}  // namespace atrium
