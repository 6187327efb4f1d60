// C++ overloads: the same names for all types, so that templates work.
// SPDX-License-Identifier: BSD-3-Clause
//
// oshc++ 17_overloads.cpp -o overloads && oshrun -n 4 ./overloads
// Says: int, double and long double went around ... PEs in one template
#include <shmem.h>

#include <cstdio>
#include <vector>

// A block of ten elements of any type, sent to the right: true when the left one's has come.
template <typename T>
bool send_around(T first) {
  int me = shmem_my_pe(), n = shmem_n_pes(), right = (me + 1) % n, left = (me + n - 1) % n;
  std::vector<T> source(10, first + static_cast<T>(me));  // need not be symmetric
  T* inbox = static_cast<T*>(shmem_malloc(source.size() * sizeof(T)));

  shmem_put(inbox, source.data(), source.size(), right);
  shmem_barrier_all();
  bool came = inbox[0] == first + static_cast<T>(left) && shmem_g(&inbox[9], me) == inbox[0];

  shmem_free(inbox);
  return came;
}

int main() {
  static int votes, agreed;  // symmetric
  shmem_init();
  votes = send_around(1);
  votes &= send_around(2.5);
  votes &= send_around(3.25L);
  shmem_min_reduce(SHMEM_TEAM_WORLD, &agreed, &votes, 1);
  if (shmem_my_pe() == 0 && agreed)
    std::printf("int, double and long double went around %d PEs in one template\n", shmem_n_pes());
  shmem_finalize();
  return agreed ? 0 : 1;
}
