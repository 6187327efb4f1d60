/* Calls every type-generic routine once for every type it has, with and without a context, and looks at what
 * arrives.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Compiled as C11 (_Generic) and, through generics.cpp, as C++ (overloads). Each PE talks to the next one. */
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef __cplusplus
#include <complex>
typedef std::complex<double> ComplexDouble;
typedef std::complex<float> ComplexFloat;
#else
typedef double _Complex ComplexDouble;
typedef float _Complex ComplexFloat;
#endif

#define CHECK(condition) check((condition) ? 1 : 0, #condition, __func__, __LINE__)
#define CTX SHMEM_CTX_DEFAULT
#define WORLD SHMEM_TEAM_WORLD
enum { MOST_PES = 8 };

static int me, pes, next, failures;

static void check(int holds, const char* condition, const char* function, int line) {
  if (holds) return;
  fprintf(stderr, "PE %d: %s, line %d: not %s\n", me, function, line, condition);
  failures++;
}

/* The types of the specification's tables, with names for the functions below. */
/* clang-format off */
#define EACH_RMA_TYPE(X)                                                                                          \
  X(float, float) X(double, double) X(long double, longdouble) X(char, char) X(signed char, schar) X(short, short) \
  X(int, int) X(long, long) X(long long, longlong) X(unsigned char, uchar) X(unsigned short, ushort)              \
  X(unsigned int, uint) X(unsigned long, ulong) X(unsigned long long, ulonglong) X(int8_t, int8) X(int16_t, int16) \
  X(int32_t, int32) X(int64_t, int64) X(uint8_t, uint8) X(uint16_t, uint16) X(uint32_t, uint32)                   \
  X(uint64_t, uint64) X(size_t, size) X(ptrdiff_t, ptrdiff)
#define EACH_AMO_TYPE(X)                                                                                        \
  X(int, int) X(long, long) X(long long, longlong) X(unsigned int, uint) X(unsigned long, ulong)                \
  X(unsigned long long, ulonglong) X(int32_t, int32) X(int64_t, int64) X(uint32_t, uint32) X(uint64_t, uint64)  \
  X(size_t, size) X(ptrdiff_t, ptrdiff)
#define EACH_EXTENDED_AMO_TYPE(X) X(float, float) X(double, double) EACH_AMO_TYPE(X)
#define EACH_BITWISE_AMO_TYPE(X)                                                                                \
  X(unsigned int, uint) X(unsigned long, ulong) X(unsigned long long, ulonglong) X(int32_t, int32)              \
  X(int64_t, int64) X(uint32_t, uint32) X(uint64_t, uint64)
#define EACH_OLD_TYPE(X) X(int, int) X(long, long) X(long long, longlong)
#define EACH_OLD_EXTENDED_TYPE(X) X(float, float) X(double, double) EACH_OLD_TYPE(X)
#define EACH_SHORT_TYPE(X) X(short, short) X(unsigned short, ushort)
#define EACH_BITWISE_REDUCE_TYPE(X)                                                                             \
  X(unsigned char, uchar) X(unsigned short, ushort) X(unsigned int, uint) X(unsigned long, ulong)               \
  X(unsigned long long, ulonglong) X(int8_t, int8) X(int16_t, int16) X(int32_t, int32) X(int64_t, int64)        \
  X(uint8_t, uint8) X(uint16_t, uint16) X(uint32_t, uint32) X(uint64_t, uint64) X(size_t, size)
#define EACH_ARITHMETIC_TYPE(X) EACH_RMA_TYPE(X) X(ComplexDouble, complexd) X(ComplexFloat, complexf)
/* clang-format on */

#define TEST_PUT_AND_GET(T, name)                               \
  static void put_and_get_##name(void) {                        \
    static T there[24];                                         \
    T here[2] = {(T)3, (T)4}, back[20];                         \
    shmem_put(there, here, 2, next);                            \
    shmem_put(CTX, there + 2, here, 2, next);                   \
    shmem_p(there + 4, here[0], next);                          \
    shmem_p(CTX, there + 5, here[1], next);                     \
    shmem_iput(there + 6, here, 1, 1, 2, next);                 \
    shmem_iput(CTX, there + 8, here, 1, 1, 2, next);            \
    shmem_ibput(there + 10, here, 2, 2, 2, 1, next);            \
    shmem_ibput(CTX, there + 12, here, 2, 2, 2, 1, next);       \
    shmem_put_nbi(there + 14, here, 2, next);                   \
    shmem_put_nbi(CTX, there + 16, here, 2, next);              \
    shmem_quiet();                                              \
    shmem_get(back, there, 2, next);                            \
    shmem_get(CTX, back + 2, there + 2, 2, next);               \
    back[4] = shmem_g(there + 4, next);                         \
    back[5] = shmem_g(CTX, there + 5, next);                    \
    shmem_iget(back + 6, there + 6, 1, 1, 2, next);             \
    shmem_iget(CTX, back + 8, there + 8, 1, 1, 2, next);        \
    shmem_ibget(back + 10, there + 10, 2, 2, 2, 1, next);       \
    shmem_ibget(CTX, back + 12, there + 12, 2, 2, 2, 1, next);  \
    shmem_get_nbi(back + 14, there + 14, 2, next);              \
    shmem_get_nbi(CTX, back + 16, there + 16, 2, next);         \
    shmem_quiet();                                              \
    for (int i = 0; i < 18; i++) CHECK(back[i] == here[i % 2]); \
  }

#define TEST_SIGNALLED_PUT(T, name)                                                    \
  static void signalled_put_##name(void) {                                             \
    static T there[8];                                                                 \
    static uint64_t signal;                                                            \
    T here[2] = {(T)5, (T)6};                                                          \
    shmem_put_signal(there, here, 2, &signal, 1, SHMEM_SIGNAL_ADD, next);              \
    shmem_put_signal(CTX, there + 2, here, 2, &signal, 1, SHMEM_SIGNAL_ADD, next);     \
    shmem_put_signal_nbi(there + 4, here, 2, &signal, 1, SHMEM_SIGNAL_ADD, next);      \
    shmem_put_signal_nbi(CTX, there + 6, here, 2, &signal, 1, SHMEM_SIGNAL_ADD, next); \
    CHECK(shmem_signal_wait_until(&signal, SHMEM_CMP_GE, 4) == 4);                     \
    for (int i = 0; i < 8; i++) CHECK(there[i] == here[i % 2]);                        \
  }

/* Each PE is the only one to update its successor's words. */
#define TEST_FETCH_SET_SWAP(T, name)                                  \
  static void fetch_set_swap_##name(void) {                           \
    static T there;                                                   \
    T old = (T)0;                                                     \
    shmem_atomic_set(&there, (T)7, next);                             \
    CHECK(shmem_atomic_fetch(&there, next) == (T)7);                  \
    shmem_atomic_set(CTX, &there, (T)8, next);                        \
    CHECK(shmem_atomic_fetch(CTX, &there, next) == (T)8);             \
    CHECK(shmem_atomic_swap(&there, (T)9, next) == (T)8);             \
    CHECK(shmem_atomic_swap(CTX, &there, (T)10, next) == (T)9);       \
    shmem_atomic_fetch_nbi(&old, &there, next);                       \
    shmem_quiet();                                                    \
    CHECK(old == (T)10);                                              \
    shmem_atomic_fetch_nbi(CTX, &old, &there, next);                  \
    shmem_atomic_swap_nbi(&old, &there, (T)11, next);                 \
    shmem_atomic_swap_nbi(CTX, &old, &there, (T)12, next);            \
    shmem_quiet();                                                    \
    CHECK(old == (T)11 && shmem_atomic_fetch(&there, next) == (T)12); \
  }

#define TEST_COMPARE_AND_ADD(T, name)                                     \
  static void compare_and_add_##name(void) {                              \
    static T there;                                                       \
    T old = 0;                                                            \
    CHECK(shmem_atomic_compare_swap(&there, (T)0, (T)1, next) == 0);      \
    CHECK(shmem_atomic_compare_swap(CTX, &there, (T)5, (T)2, next) == 1); \
    CHECK(shmem_atomic_fetch_inc(&there, next) == 1);                     \
    CHECK(shmem_atomic_fetch_inc(CTX, &there, next) == 2);                \
    shmem_atomic_inc(&there, next);                                       \
    shmem_atomic_inc(CTX, &there, next);                                  \
    CHECK(shmem_atomic_fetch_add(&there, (T)10, next) == 5);              \
    CHECK(shmem_atomic_fetch_add(CTX, &there, (T)10, next) == 15);        \
    shmem_atomic_add(&there, (T)10, next);                                \
    shmem_atomic_add(CTX, &there, (T)10, next);                           \
    shmem_atomic_compare_swap_nbi(&old, &there, (T)45, (T)1, next);       \
    shmem_atomic_compare_swap_nbi(CTX, &old, &there, (T)45, (T)2, next);  \
    shmem_atomic_fetch_inc_nbi(&old, &there, next);                       \
    shmem_atomic_fetch_inc_nbi(CTX, &old, &there, next);                  \
    shmem_atomic_fetch_add_nbi(&old, &there, (T)10, next);                \
    shmem_atomic_fetch_add_nbi(CTX, &old, &there, (T)10, next);           \
    shmem_quiet();                                                        \
    CHECK(old == 13 && shmem_atomic_fetch(&there, next) == 23);           \
  }

#define TEST_BITS(T, name)                                        \
  static void bits_##name(void) {                                 \
    static T there = 12;                                          \
    T old = 0;                                                    \
    CHECK(shmem_atomic_fetch_and(&there, (T)4, next) == 12);      \
    CHECK(shmem_atomic_fetch_and(CTX, &there, (T)6, next) == 4);  \
    shmem_atomic_and(&there, (T)5, next);                         \
    shmem_atomic_and(CTX, &there, (T)7, next);                    \
    CHECK(shmem_atomic_fetch_or(&there, (T)1, next) == 4);        \
    CHECK(shmem_atomic_fetch_or(CTX, &there, (T)2, next) == 5);   \
    shmem_atomic_or(&there, (T)8, next);                          \
    shmem_atomic_or(CTX, &there, (T)16, next);                    \
    CHECK(shmem_atomic_fetch_xor(&there, (T)1, next) == 31);      \
    CHECK(shmem_atomic_fetch_xor(CTX, &there, (T)2, next) == 30); \
    shmem_atomic_xor(&there, (T)4, next);                         \
    shmem_atomic_xor(CTX, &there, (T)8, next);                    \
    shmem_atomic_fetch_and_nbi(&old, &there, (T)24, next);        \
    shmem_atomic_fetch_and_nbi(CTX, &old, &there, (T)24, next);   \
    shmem_atomic_fetch_or_nbi(&old, &there, (T)1, next);          \
    shmem_atomic_fetch_or_nbi(CTX, &old, &there, (T)2, next);     \
    shmem_atomic_fetch_xor_nbi(&old, &there, (T)4, next);         \
    shmem_atomic_fetch_xor_nbi(CTX, &old, &there, (T)8, next);    \
    shmem_quiet();                                                \
    CHECK(old == 23 && shmem_atomic_fetch(&there, next) == 31);   \
  }

#define TEST_OLD_ATOMICS(T, name)                      \
  static void old_atomics_##name(void) {               \
    static T there;                                    \
    CHECK(shmem_cswap(&there, (T)0, (T)1, next) == 0); \
    CHECK(shmem_finc(&there, next) == 1);              \
    shmem_inc(&there, next);                           \
    CHECK(shmem_fadd(&there, (T)2, next) == 3);        \
    shmem_add(&there, (T)2, next);                     \
    CHECK(shmem_fetch(&there, next) == 7);             \
  }

#define TEST_OLD_EXTENDED_ATOMICS(T, name)      \
  static void old_extended_##name(void) {       \
    static T there;                             \
    shmem_set(&there, (T)5, next);              \
    CHECK(shmem_swap(&there, (T)6, next) == 5); \
    CHECK(shmem_fetch(&there, next) == 6);      \
  }

#define TEST_SHORT_WAITS(T, name)                   \
  static void short_waits_##name(void) {            \
    T there = 4;                                    \
    shmem_wait_until(&there, SHMEM_CMP_LE, (T)4);   \
    CHECK(shmem_test(&there, SHMEM_CMP_EQ, (T)4));  \
    CHECK(!shmem_test(&there, SHMEM_CMP_NE, (T)4)); \
  }

#define TEST_WAITS(T, name)                                                                  \
  static void waits_##name(void) {                                                           \
    T there[2] = {4, 5};                                                                     \
    const T values[2] = {4, 5};                                                              \
    size_t which[2];                                                                         \
    shmem_wait_until(there, SHMEM_CMP_LE, (T)4);                                             \
    shmem_wait_until_all(there, 2, NULL, SHMEM_CMP_GE, (T)4);                                \
    CHECK(shmem_wait_until_any(there, 2, NULL, SHMEM_CMP_EQ, (T)5) == 1);                    \
    CHECK(shmem_wait_until_some(there, 2, which, NULL, SHMEM_CMP_GT, (T)3) == 2);            \
    shmem_wait_until_all_vector(there, 2, NULL, SHMEM_CMP_EQ, values);                       \
    CHECK(shmem_wait_until_any_vector(there, 2, NULL, SHMEM_CMP_EQ, values) < 2);            \
    CHECK(shmem_wait_until_some_vector(there, 2, which, NULL, SHMEM_CMP_EQ, values) == 2);   \
    CHECK(shmem_test(there, SHMEM_CMP_EQ, (T)4) && !shmem_test(there, SHMEM_CMP_LT, (T)4));  \
    CHECK(shmem_test_all(there, 2, NULL, SHMEM_CMP_NE, (T)6));                               \
    CHECK(shmem_test_any(there, 2, NULL, SHMEM_CMP_EQ, (T)5) == 1);                          \
    CHECK(shmem_test_some(there, 2, which, NULL, SHMEM_CMP_EQ, (T)5) == 1 && which[0] == 1); \
    CHECK(shmem_test_all_vector(there, 2, NULL, SHMEM_CMP_EQ, values));                      \
    CHECK(shmem_test_any_vector(there, 2, NULL, SHMEM_CMP_EQ, values) < 2);                  \
    CHECK(shmem_test_some_vector(there, 2, which, NULL, SHMEM_CMP_NE, values) == 0);         \
  }

/* Every destination is an array of its own: a collective may begin while a peer is still in the one before.
 */
#define TEST_MOVES(T, name)                                                                            \
  static void moves_##name(void) {                                                                     \
    static T mine[MOST_PES], all[MOST_PES], strided[MOST_PES], root[1], one[MOST_PES], same[MOST_PES]; \
    for (int pe = 0; pe < pes; pe++) mine[pe] = (T)(me + 1);                                           \
    shmem_sync(WORLD);                                                                                 \
    CHECK(shmem_alltoall(WORLD, all, mine, 1) == 0);                                                   \
    CHECK(shmem_alltoalls(WORLD, strided, mine, 1, 1, 1) == 0);                                        \
    CHECK(shmem_broadcast(WORLD, root, mine, 1, pes - 1) == 0 && root[0] == (T)pes);                   \
    CHECK(shmem_collect(WORLD, one, mine, 1) == 0);                                                    \
    CHECK(shmem_fcollect(WORLD, same, mine, 1) == 0);                                                  \
    for (int pe = 0; pe < pes; pe++) {                                                                 \
      CHECK(all[pe] == (T)(pe + 1) && strided[pe] == (T)(pe + 1));                                     \
      CHECK(one[pe] == (T)(pe + 1) && same[pe] == (T)(pe + 1));                                        \
    }                                                                                                  \
    shmem_barrier_all();                                                                               \
  }

#define TEST_ARITHMETIC(T, name)                                                                 \
  static void arithmetic_##name(void) {                                                          \
    static T mine, sum, product, inclusive, exclusive;                                           \
    mine = (T)2;                                                                                 \
    CHECK(shmem_sum_reduce(WORLD, &sum, &mine, 1) == 0 && sum == (T)(2 * pes));                  \
    CHECK(shmem_prod_reduce(WORLD, &product, &mine, 1) == 0 && product == (T)(1 << pes));        \
    CHECK(shmem_sum_inscan(WORLD, &inclusive, &mine, 1) == 0 && inclusive == (T)(2 * (me + 1))); \
    CHECK(shmem_sum_exscan(WORLD, &exclusive, &mine, 1) == 0 && exclusive == (T)(2 * me));       \
    shmem_barrier_all();                                                                         \
  }

#define TEST_ORDER(T, name)                                                 \
  static void order_##name(void) {                                          \
    static T mine, least, most;                                             \
    mine = (T)(me + 1);                                                     \
    CHECK(shmem_min_reduce(WORLD, &least, &mine, 1) == 0 && least == (T)1); \
    CHECK(shmem_max_reduce(WORLD, &most, &mine, 1) == 0 && most == (T)pes); \
    shmem_barrier_all();                                                    \
  }

#define TEST_BITWISE_REDUCE(T, name)                                                       \
  static void bitwise_##name(void) {                                                       \
    static T mine, and_of, or_of, xor_of;                                                  \
    mine = (T)(me == 0 ? 6 : 2);                                                           \
    CHECK(shmem_and_reduce(WORLD, &and_of, &mine, 1) == 0 && and_of == (pes > 1 ? 2 : 6)); \
    CHECK(shmem_or_reduce(WORLD, &or_of, &mine, 1) == 0 && or_of == 6);                    \
    CHECK(shmem_xor_reduce(WORLD, &xor_of, &mine, 1) == 0 && xor_of == (pes % 2 ? 6 : 4)); \
    shmem_barrier_all();                                                                   \
  }

EACH_RMA_TYPE(TEST_PUT_AND_GET)
EACH_RMA_TYPE(TEST_SIGNALLED_PUT)
EACH_RMA_TYPE(TEST_MOVES)
EACH_RMA_TYPE(TEST_ORDER)
EACH_EXTENDED_AMO_TYPE(TEST_FETCH_SET_SWAP)
EACH_AMO_TYPE(TEST_COMPARE_AND_ADD)
EACH_BITWISE_AMO_TYPE(TEST_BITS)
EACH_OLD_TYPE(TEST_OLD_ATOMICS)
EACH_OLD_EXTENDED_TYPE(TEST_OLD_EXTENDED_ATOMICS)
EACH_SHORT_TYPE(TEST_SHORT_WAITS)
EACH_AMO_TYPE(TEST_WAITS)
EACH_ARITHMETIC_TYPE(TEST_ARITHMETIC)
EACH_BITWISE_REDUCE_TYPE(TEST_BITWISE_REDUCE)

static void signals_and_syncs(void) {
  static uint64_t signal;
  static long work[SHMEM_SYNC_SIZE];
  shmem_signal_set(&signal, 3, next);
  shmem_signal_add(&signal, 2, next);
  shmem_signal_add(CTX, &signal, 2, next);
  CHECK(shmem_signal_wait_until(&signal, SHMEM_CMP_EQ, 7) == 7);
  shmem_barrier_all();
  shmem_signal_set(CTX, &signal, 9, next);
  CHECK(shmem_signal_wait_until(&signal, SHMEM_CMP_EQ, 9) == 9);
  CHECK(shmem_sync(SHMEM_TEAM_WORLD) == 0);
  shmem_sync(0, 0, pes, work);
  shmem_barrier_all();
}

int main(void) {
  shmem_init();
  me = shmem_my_pe();
  pes = shmem_n_pes();
  next = (me + 1) % pes;
  if (pes > MOST_PES - 2) return 2; /* 2 to the power of the number of PEs must fit into a signed char */
#define CALL_PUT_AND_GET(T, name) put_and_get_##name();
#define CALL_SIGNALLED_PUT(T, name) signalled_put_##name();
#define CALL_MOVES(T, name) moves_##name();
#define CALL_ORDER(T, name) order_##name();
#define CALL_FETCH_SET_SWAP(T, name) fetch_set_swap_##name();
#define CALL_COMPARE_AND_ADD(T, name) compare_and_add_##name();
#define CALL_BITS(T, name) bits_##name();
#define CALL_OLD_ATOMICS(T, name) old_atomics_##name();
#define CALL_OLD_EXTENDED_ATOMICS(T, name) old_extended_##name();
#define CALL_SHORT_WAITS(T, name) short_waits_##name();
#define CALL_WAITS(T, name) waits_##name();
#define CALL_ARITHMETIC(T, name) arithmetic_##name();
#define CALL_BITWISE_REDUCE(T, name) bitwise_##name();
  EACH_RMA_TYPE(CALL_PUT_AND_GET)
  EACH_RMA_TYPE(CALL_SIGNALLED_PUT)
  EACH_RMA_TYPE(CALL_MOVES)
  EACH_RMA_TYPE(CALL_ORDER)
  EACH_EXTENDED_AMO_TYPE(CALL_FETCH_SET_SWAP)
  EACH_AMO_TYPE(CALL_COMPARE_AND_ADD)
  EACH_BITWISE_AMO_TYPE(CALL_BITS)
  EACH_OLD_TYPE(CALL_OLD_ATOMICS)
  EACH_OLD_EXTENDED_TYPE(CALL_OLD_EXTENDED_ATOMICS)
  EACH_SHORT_TYPE(CALL_SHORT_WAITS)
  EACH_AMO_TYPE(CALL_WAITS)
  EACH_ARITHMETIC_TYPE(CALL_ARITHMETIC)
  EACH_BITWISE_REDUCE_TYPE(CALL_BITWISE_REDUCE)
  signals_and_syncs();
  shmem_barrier_all();
  shmem_finalize();
  if (failures == 0 && me == 0) puts("every generic answers");
  return failures != 0;
}
