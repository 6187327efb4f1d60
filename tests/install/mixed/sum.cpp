// The C++ part: overloads for any type, and a class with a destructor.
// SPDX-License-Identifier: BSD-3-Clause
#include <shmem.h>

#include <vector>

namespace {
template <class T>
class Symmetric {
 public:
  Symmetric() : value_(static_cast<T*>(shmem_malloc(sizeof(T)))) {}
  Symmetric(const Symmetric&) = delete;
  Symmetric& operator=(const Symmetric&) = delete;
  ~Symmetric() { shmem_free(value_); }
  T* get() { return value_; }

 private:
  T* value_;
};
}  // namespace

extern "C" long sum_of_all(long mine) {
  Symmetric<long> source, total;
  *source.get() = mine;
  shmem_barrier_all();
  shmem_sum_reduce(SHMEM_TEAM_WORLD, total.get(), source.get(), 1);
  const std::vector<long> result(1, *total.get());
  return result.front();
}
