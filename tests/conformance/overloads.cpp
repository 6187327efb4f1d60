// The C++ overloads pick the right routine, with and without a context, and templates can use them (10.3).
// SPDX-License-Identifier: BSD-3-Clause
#include <shmem.h>

#include <cstdint>
#include <cstdio>

namespace {

int failures = 0, me = 0, npes = 1;
shmem_ctx_t ctx;

void check(bool holds, const char* what, size_t bytes) {
  if (holds) return;
  ++failures;
  std::fprintf(stderr, "PE %d: %s (%zu bytes)\n", me, what, bytes);
}

int right() { return (me + 1) % npes; }

template <class T>
void move_data() {
  static T target[4];
  const T origin[4] = {T(1), T(2), T(3), T(4)};
  T got[4] = {};
  shmem_put(target, origin, 4, right());
  shmem_put(ctx, target, origin, 4, right());
  shmem_p(target, origin[0], right());
  shmem_p(ctx, target, origin[0], right());
  shmem_put_nbi(ctx, target, origin, 4, right());
  shmem_iput(target, origin, 1, 1, 4, right());
  shmem_quiet();
  shmem_ctx_quiet(ctx);
  shmem_barrier_all();
  shmem_get(got, target, 4, right());
  check(got[0] == T(1) && got[3] == T(4), "get", sizeof(T));
  check(shmem_g(target + 2, right()) == T(3) && shmem_g(ctx, target + 1, right()) == T(2), "g", sizeof(T));
  shmem_barrier_all();
}

template <class T>
void work_together() {
  static T dest, source = T(1);
  shmem_barrier_all();
  check(shmem_sum_reduce(SHMEM_TEAM_WORLD, &dest, &source, 1) == 0 && dest == T(npes), "sum", sizeof(T));
  shmem_barrier_all();
  check(shmem_broadcast(SHMEM_TEAM_WORLD, &dest, &source, 1, 0) == 0 && dest == T(1), "broadcast", sizeof(T));
  shmem_barrier_all();
}

template <class T>
void count() {
  static T word;
  shmem_atomic_add(&word, T(2), right());
  shmem_atomic_inc(ctx, &word, right());
  shmem_wait_until(&word, SHMEM_CMP_EQ, T(3));
  check(shmem_test(&word, SHMEM_CMP_EQ, T(3)) == 1, "test", sizeof(T));
  shmem_barrier_all();
  check(shmem_atomic_fetch_add(&word, T(1), right()) == T(3), "fetch_add", sizeof(T));
  check(shmem_atomic_compare_swap(ctx, &word, T(4), T(5), right()) == T(4), "compare_swap", sizeof(T));
  check(shmem_atomic_swap(&word, T(6), right()) == T(5), "swap", sizeof(T));
  shmem_barrier_all();
}

template <class... T>
void every_type_moves() {
  (move_data<T>(), ...);
  (work_together<T>(), ...);
}

template <class... T>
void every_type_counts() {
  (count<T>(), ...);
}

}  // namespace

int main() {
  shmem_init();
  me = shmem_my_pe();
  npes = shmem_n_pes();
  check(shmem_ctx_create(0, &ctx) == 0, "a context", 0);
  every_type_moves<float, double, long double, char, signed char, short, int, long, long long, unsigned char,
                   unsigned short, unsigned, unsigned long, unsigned long long>();
  every_type_counts<int, long, long long, unsigned, unsigned long, unsigned long long>();
  check(shmem_sync(SHMEM_TEAM_WORLD) == 0, "sync of a team", 0);
  shmem_ctx_destroy(ctx);
  shmem_finalize();
  return failures != 0;
}
