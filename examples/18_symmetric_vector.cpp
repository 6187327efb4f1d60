// A C++ class for symmetric memory: owned, sized, and with a view of any PE's part where memory is shared.
// SPDX-License-Identifier: BSD-3-Clause
//
// oshc++ -std=c++20 18_symmetric_vector.cpp -o vector && oshrun -n 4 ./vector
// Says: ... PEs: the dot product is ...
#include <shmem.h>

#include <cstdio>
#include <memory>
#include <numeric>
#include <span>

// Make and destroy it on all PEs together, with the same size, between shmem_init and shmem_finalize.
template <typename T>
class SymmetricVector {
 public:
  explicit SymmetricVector(std::size_t size)
      : elements_(static_cast<T*>(shmem_calloc(size, sizeof(T)))), size_(size) {}

  std::span<T> mine() { return {elements_.get(), size_}; }
  T* data() { return elements_.get(); }

  // Empty when the PE is on another node.
  std::span<const T> of(int pe) {
    auto* there = static_cast<const T*>(shmem_ptr(elements_.get(), pe));
    return {there, there == nullptr ? 0 : size_};
  }

 private:
  struct Free {
    void operator()(T* memory) const { shmem_free(memory); }
  };
  std::unique_ptr<T[], Free> elements_;
  std::size_t size_;
};

static bool run() {
  SymmetricVector<double> vector(1000), parts(1), product(1);
  std::iota(vector.mine().begin(), vector.mine().end(), 0.0);
  shmem_sync_all();

  auto next = vector.of((shmem_my_pe() + 1) % shmem_n_pes());
  parts.mine()[0] = std::inner_product(next.begin(), next.end(), vector.mine().begin(), 0.0);
  shmem_sum_reduce(SHMEM_TEAM_WORLD, product.data(), parts.data(), 1);

  double expected = 332833500.0 * shmem_n_pes();  // 0² + 1² + ... + 999² for each PE
  if (shmem_my_pe() == 0) std::printf("%d PEs: the dot product is %.0f\n", shmem_n_pes(), product.mine()[0]);
  return product.mine()[0] == expected;
}

int main() {
  shmem_init();
  bool right = run();  // its vectors are gone before finalize
  shmem_finalize();
  return right ? 0 : 1;
}
