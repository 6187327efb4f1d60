/* The primitives of the inline fast path (in the manual: design/inline-fast-path).
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Each routine in shmem/inline.h is `IF_... action; else call the library`. The conditions declare `atrium_delta`: the number
 * to add to this PE's address of a symmetric object to get the address of the peer's copy. The actions use it through
 * ATRIUM_THERE. */
#ifndef SHMEM_FAST_H
#define SHMEM_FAST_H

#include "shmem/blocks.h"
#include "shmem/constants.h"
#include "shmem/fit.h"
#include "shmem/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Hides from the compiler which object the address belongs to. A compiler that knew it would conclude that the sum with a delta
 * leaves a single variable, and clang would replace the sum by the variable itself.
 * Costs no instruction. */
ATRIUM_INLINE uintptr_t atrium_base(const void* symmetric) {
  uintptr_t base = ATRIUM_ADDRESS(symmetric);
  __asm__("" : "+r"(base));
  return base;
}

/* Calls for extraordinary cases: compilers move them out of the way, so that a loop of puts lies together. */
#define ATRIUM_COLD __attribute__((__cold__))

/* The deltas of the world team. The table never moves; only its entries change, and all are ATRIUM_AWAY before init and after
 * finalize. With the second `const` compilers keep the address of the table in a register across stores and calls.
 * Part of the ABI. */
extern const ptrdiff_t* const atrium_deltas_1;

/* An array without a declared end, of which the table is a part. Element 0 is the index of PE 0's delta. The compiler takes the
 * array for constant, so it reads an element once for a whole loop, even if calls in the loop might write any other memory. It
 * does not know where the array ends, so it reads an element only where the program does. A value kept from before init is
 * ATRIUM_AWAY, and the library is called. Part of the ABI. */
extern const ptrdiff_t atrium_origin_1[];

/* A PE's delta. ATRIUM_STEADY_DELTA can be moved out of a loop in which the PE stays the same. Single words go to another PE each
 * time more often, and ATRIUM_DELTA is one addition shorter. An `unsigned` index needs no sign extension; the entry at -1 is AWAY
 * either way. */
#define ATRIUM_STEADY_DELTA(pe) \
  atrium_origin_1[atrium_origin_1[0] + ATRIUM_CAST(ptrdiff_t, ATRIUM_CAST(uint32_t, pe))]
#define ATRIUM_DELTA(pe) \
  (__builtin_constant_p(pe) ? ATRIUM_STEADY_DELTA(pe) : atrium_deltas_1[ATRIUM_CAST(uint32_t, pe)])

/* Conditions. A delta of ATRIUM_AWAY stands for every extraordinary case. */
#define ATRIUM_IF_HERE(delta)             \
  const ptrdiff_t atrium_delta = (delta); \
  if (__builtin_expect(atrium_delta != ATRIUM_AWAY, 1))
#define ATRIUM_IF_INSIDE(delta, address)  \
  const ptrdiff_t atrium_delta = (delta); \
  if (__builtin_expect(atrium_delta != ATRIUM_AWAY && atrium_is_symmetric(ATRIUM_ADDRESS(address)), 1))
#define ATRIUM_IF_OPEN if (__builtin_expect(!atrium_inline_path_2.closed, 1))
#define ATRIUM_IF_KNOWN(number) if (__builtin_expect(atrium_numbers_1.number >= 0, 1))
/* On SHMEM_CTX_INVALID fence and quiet are allowed and do nothing (9.12). */
#define ATRIUM_IF_IDLE(ctx)          \
  if (__builtin_expect(!(ctx), 0) || \
      __builtin_expect(__atomic_load_n(&(ctx)->pending, __ATOMIC_RELAXED) == 0, 1))
/* SYNC wait */
#define ATRIUM_IF_MET(type, ivar, cmp, value)                                           \
  if (__builtin_constant_p(cmp) && __builtin_expect(!atrium_inline_path_2.closed, 1) && \
      ATRIUM_COMPARE(__atomic_load_n(ivar, __ATOMIC_ACQUIRE), cmp, value))

#define ATRIUM_COMPARE(a, cmp, b)       \
  ((cmp) == SHMEM_CMP_EQ   ? (a) == (b) \
   : (cmp) == SHMEM_CMP_NE ? (a) != (b) \
   : (cmp) == SHMEM_CMP_GT ? (a) > (b)  \
   : (cmp) == SHMEM_CMP_LE ? (a) <= (b) \
   : (cmp) == SHMEM_CMP_LT ? (a) < (b)  \
                           : (cmp) == SHMEM_CMP_GE && (a) >= (b))

#define ATRIUM_IN_RANGE(address, i) \
  (address - atrium_inline_path_2.ranges[i].begin < atrium_inline_path_2.ranges[i].bytes)
ATRIUM_INLINE int atrium_is_symmetric(uintptr_t address) {
  return ATRIUM_IN_RANGE(address, 0) || ATRIUM_IN_RANGE(address, 1);
}

/* The peer's copy. */
#define ATRIUM_AT(type, symmetric) \
  ATRIUM_POINTER(type, atrium_base(symmetric) + ATRIUM_CAST(uintptr_t, atrium_delta))
#define ATRIUM_THERE(symmetric) ATRIUM_AT(void, symmetric)

/* Put and get. Single elements are written and read whole: relaxed atomics are plain moves. */
#define ATRIUM_P(type, dest, value) ATRIUM_STORE(type, dest, value, __ATOMIC_RELAXED)
#define ATRIUM_G(type, source) ATRIUM_LOAD(type, source, __ATOMIC_ACQUIRE) /* SYNC get */
#define ATRIUM_P_WIDE(type, dest, value) (void)__builtin_memcpy(ATRIUM_THERE(dest), &(value), sizeof(type))
#define ATRIUM_G_WIDE(type, source) \
  ATRIUM_ON(type, type atrium_value; ATRIUM_GET(&atrium_value, source, sizeof(type)); atrium_value;)
#define ATRIUM_PUT(dest, source, bytes)                                                              \
  (ATRIUM_FITS(dest, source, bytes), ATRIUM_IS_SMALL(bytes)                                          \
                                         ? (void)__builtin_memcpy(ATRIUM_THERE(dest), source, bytes) \
                                         : atrium_put_block(ATRIUM_THERE(dest), source, bytes))
/* A get is complete when it returns: what I read next is not older (x86: no instruction). SYNC get */
#define ATRIUM_GET(dest, source, bytes)                                               \
  (ATRIUM_FITS(dest, source, bytes),                                                  \
   ATRIUM_IS_SMALL(bytes) ? (void)__builtin_memcpy(dest, ATRIUM_THERE(source), bytes) \
                          : atrium_get_block(dest, ATRIUM_THERE(source), bytes),      \
   __atomic_thread_fence(__ATOMIC_ACQUIRE))

/* Atomic operations: what fetches acquires and releases, what does not fetch releases; wait
 * and test acquire, here and in the library. */
#define ATRIUM_FETCH(type, source) ATRIUM_LOAD(type, source, __ATOMIC_ACQUIRE)             /* SYNC amo */
#define ATRIUM_SET(type, dest, value) ATRIUM_STORE(type, dest, value, __ATOMIC_RELEASE)    /* SYNC amo wait */
#define ATRIUM_FETCH_ADD(type, dest, value) ATRIUM_CHANGE(add, type, dest, value, ACQ_REL) /* SYNC amo */
#define ATRIUM_FETCH_AND(type, dest, value) ATRIUM_CHANGE(and, type, dest, value, ACQ_REL) /* SYNC amo */
#define ATRIUM_FETCH_OR(type, dest, value) ATRIUM_CHANGE(or, type, dest, value, ACQ_REL)   /* SYNC amo */
#define ATRIUM_FETCH_XOR(type, dest, value) ATRIUM_CHANGE(xor, type, dest, value, ACQ_REL) /* SYNC amo */
#define ATRIUM_ADD(type, dest, value) (void)ATRIUM_CHANGE(add, type, dest, value, RELEASE) /* SYNC amo wait */
#define ATRIUM_AND(type, dest, value) (void)ATRIUM_CHANGE(and, type, dest, value, RELEASE) /* SYNC amo wait */
#define ATRIUM_OR(type, dest, value) (void)ATRIUM_CHANGE(or, type, dest, value, RELEASE)   /* SYNC amo wait */
#define ATRIUM_XOR(type, dest, value) (void)ATRIUM_CHANGE(xor, type, dest, value, RELEASE) /* SYNC amo wait */
#define ATRIUM_SWAP(type, dest, value)                                                                  \
  ATRIUM_ON(type, type atrium_value;                                                                    \
            __atomic_exchange(ATRIUM_AT(atrium_word, dest), &(value), &atrium_value, __ATOMIC_ACQ_REL); \
            atrium_value;) /* SYNC amo */
#define ATRIUM_COMPARE_SWAP(type, dest, cond, value)                                                        \
  ATRIUM_ON(type, type atrium_value = (cond); __atomic_compare_exchange_n(                                  \
                ATRIUM_AT(atrium_word, dest), &atrium_value, value, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE); \
            atrium_value;) /* SYNC amo */

/* What they are made of. The word may be reached through another type of its size elsewhere (int64_t beside
 * long long). */
#define ATRIUM_ON(type, ...)                                 \
  __extension__({                                            \
    typedef type __attribute__((__may_alias__)) atrium_word; \
    (void)sizeof(atrium_word);                               \
    __VA_ARGS__                                              \
  })
#define ATRIUM_LOAD(type, source, order)                                                                  \
  ATRIUM_ON(type, type atrium_value; __atomic_load(ATRIUM_AT(atrium_word, source), &atrium_value, order); \
            atrium_value;)
#define ATRIUM_STORE(type, dest, value, order) \
  ATRIUM_ON(type, __atomic_store(ATRIUM_AT(atrium_word, dest), &(value), order);)
#define ATRIUM_CHANGE(how, type, dest, value, order) \
  ATRIUM_ON(type, __atomic_fetch_##how(ATRIUM_AT(atrium_word, dest), value, __ATOMIC_##order);)

/* Signals live in my own memory. */
#define ATRIUM_SIGNAL_FETCH(sig_addr) __atomic_load_n(sig_addr, __ATOMIC_ACQUIRE) /* SYNC wait */

/* Ordering. On x86 other CPUs see stores in order, so a fence stops the compiler only. A quiet waits until this CPU's stores are
 * seen. A locked instruction does that in half the time of mfence; in either notation of assemblers (-masm=intel). */
#define ATRIUM_FENCE() __atomic_thread_fence(__ATOMIC_ACQ_REL) /* SYNC get wait */
#ifdef __x86_64__
#define ATRIUM_QUIET() \
  __asm__ __volatile__("lock; {orq $0, (%%rsp)|or QWORD PTR [rsp], 0}" : : : "memory", "cc")
#else
#define ATRIUM_QUIET() __atomic_thread_fence(__ATOMIC_SEQ_CST)
#endif

#ifdef __cplusplus
}
#endif

#endif
