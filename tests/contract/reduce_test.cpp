// What every reduction algorithm must do.
// SPDX-License-Identifier: BSD-3-Clause
#include "coll/reduce/reduce.hpp"

#include <complex>
#include <cstring>

#include "test_job.hpp"

namespace atrium {
namespace {

class Reduce : public testing::TestWithParam<std::string> {
 protected:
  void force() { (void)reductions.force(GetParam()); }
};

INSTANTIATE_TEST_SUITE_P(reduce, Reduce, testing::ValuesIn(names_of(reductions)), name_of_parameter);

template <class T>
T value_of(int pe, long round, size_t i) {
  return static_cast<T>((static_cast<size_t>(pe) * 3 + static_cast<size_t>(round) * 5 + i * 7) % 11 + 1);
}
template <>
std::complex<float> value_of(int pe, long round, size_t i) {
  return {value_of<float>(pe, round, i), value_of<float>(pe, round, i + 1)};
}

template <Op op, class T>
T expected(int size, long round, size_t i) {
  T result = value_of<T>(0, round, i);
  for (int pe = 1; pe < size; ++pe) result = combine_two<op>(result, value_of<T>(pe, round, i));
  return result;
}

template <Op op, class T>
void reduce_and_check(TestPe& pe, T* dest, T* source, size_t n, long round) {
  for (size_t i = 0; i < n; ++i) source[i] = value_of<T>(pe.me, round, i);
  reduce<op>(world_team, dest, source, n);
  size_t wrong = 0;
  for (size_t i = 0; i < n; ++i) wrong += dest[i] != expected<op, T>(pe.size, round, i);
  pe.expect(wrong == 0, std::to_string(wrong) + " of " + std::to_string(n) + " elements wrong");
}

TEST_P(Reduce, every_size_sums_up) {
  for (int size : job_sizes) {
    TestJob(size).run([&](TestPe& pe) {
      force();
      auto* source = pe.allocate<long>(40000);
      auto* dest = pe.allocate<long>(40000);
      long round = 0;
      for (size_t n : {1, 2, 15, 16, 17, 256, 257, 1000, 40000}) {
        reduce_and_check<Op::sum>(pe, dest, source, n, ++round);
        sync(world_team);
      }
    });
  }
}

TEST_P(Reduce, in_place_is_safe) {
  for (int size : job_sizes) {
    TestJob(size).run([&](TestPe& pe) {
      force();
      auto* data = pe.allocate<long>(20000);
      long round = 0;
      for (size_t n : {1, 15, 16, 100, 257, 5000, 20000, 3, 300})
        reduce_and_check<Op::sum>(pe, data, data, n, ++round);
    });
  }
}

TEST_P(Reduce, rounds_follow_each_other_without_a_sync) {
  for (int size : job_sizes) {
    TestJob(size).run([&](TestPe& pe) {
      force();
      auto* source = pe.allocate<int>(1200);
      auto* dest = pe.allocate<int>(1200 * 2);
      for (long round = 0; round < 200; ++round) {
        const size_t n = round % 3 == 0 ? 6 : round % 3 == 1 ? 400 : 1200;
        reduce_and_check<Op::sum>(pe, dest + (round % 2) * 1200, source, n, round);
      }
    });
  }
}

template <class T>
void every_arithmetic_operation(TestPe& pe, size_t n, long& round) {
  auto* data = pe.allocate<T>(2 * n);
  reduce_and_check<Op::sum>(pe, data, data + n, n, ++round);
  reduce_and_check<Op::prod>(pe, data + n, data + n, n, ++round);
  reduce_and_check<Op::min>(pe, data, data, n, ++round);
  reduce_and_check<Op::max>(pe, data + n, data + n, n, ++round);
}

template <class T>
void every_bitwise_operation(TestPe& pe, size_t n, long& round) {
  auto* data = pe.allocate<T>(2 * n);
  reduce_and_check<Op::bit_and>(pe, data, data + n, n, ++round);
  reduce_and_check<Op::bit_or>(pe, data + n, data + n, n, ++round);
  reduce_and_check<Op::bit_xor>(pe, data, data, n, ++round);
}

TEST_P(Reduce, every_operation_and_kind_of_type) {
  TestJob(3).run([&](TestPe& pe) {
    force();
    long round = 0;
    for (size_t n : {5, 100, 900}) {
      every_arithmetic_operation<signed char>(pe, n, round);
      every_arithmetic_operation<short>(pe, n, round);
      every_arithmetic_operation<unsigned long long>(pe, n, round);
      every_arithmetic_operation<float>(pe, n, round);
      every_arithmetic_operation<long double>(pe, n, round);
      every_bitwise_operation<uint8_t>(pe, n, round);
      every_bitwise_operation<uint64_t>(pe, n, round);
      auto* data = pe.allocate<std::complex<float>>(n);
      reduce_and_check<Op::sum>(pe, data, data, n, ++round);
      reduce_and_check<Op::prod>(pe, data, data, n, ++round);
    }
  });
}

TEST_P(Reduce, integers_wrap_round) {
  TestJob(3).run([&](TestPe& pe) {
    force();
    auto* data = pe.allocate<int>(1);
    *data = 0x7fffffff;
    reduce<Op::sum>(world_team, data, data, 1);
    pe.expect(*data == 0x7ffffffd, "the sum did not wrap");
    auto* small = pe.allocate<uint16_t>(1);
    *small = 0xffff;
    reduce<Op::prod>(world_team, small, small, 1);
    pe.expect(*small == 0xffff, "the product did not wrap");
  });
}

// 0.1 + 0.2 + ... depends on the order; every PE must see the same bits.
TEST_P(Reduce, all_members_get_the_same_bits) {
  for (int size : {2, 3, 7, 16}) {
    TestJob(size).run([&](TestPe& pe) {
      force();
      auto* data = pe.allocate<double>(3000);
      auto* of_zero = pe.allocate<double>(3000);
      for (size_t n : {3, 200, 3000}) {
        for (size_t i = 0; i < n; ++i) data[i] = 1.0 / (pe.me * 7 + static_cast<double>(i) + 3);
        reduce<Op::sum>(world_team, data, data, n);
        sync(world_team);
        broadcast(world_team, of_zero, data, n, 0);
        pe.expect(std::memcmp(data, of_zero, n * sizeof(double)) == 0, "other bits than member 0");
        sync(world_team);
      }
    });
  }
}

}  // namespace
}  // namespace atrium
