/* Copies of blocks, in place (in the manual: design/inline-fast-path).
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHMEM_BLOCKS_H
#define SHMEM_BLOCKS_H

#include "shmem/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The largest blocks, in bytes, that a put and a get copy in place by the program's own memcpy; of a put, how much larger they are
 * than a word. The library has faster copies of larger ones, and stores a word once: some memcpys do it twice, and a word that its
 * reader has cleared meanwhile would come back. Both 0 before init. Part of the ABI. */
#define ATRIUM_WORD_BYTES 8
struct atrium_copies {
  size_t put, get;
};
extern struct atrium_copies atrium_copies_1;

/* Whether two ranges of one size share no byte; `distance` is the address of one less that of the other, unsigned. */
#define ATRIUM_ARE_APART(distance, bytes) ((distance) + (bytes)-1 >= 2 * (bytes)-1)

/* Copies of 1 to ATRIUM_INLINE_BYTES bytes are moves, where the compiler knows the size. Others are a call of memcpy or, where that
 * is not the fastest copy or not allowed, of the library. It is not allowed for ranges that overlap, nor for 0 bytes, whose
 * addresses may be null. The size is hidden from the compiler, which would expand some memcpys of hundreds of bytes into slow
 * instructions. These are macros, so that debug information says of a crash which routine the program has called. `there` is the
 * address at which this PE sees the peer's copy. */
#define ATRIUM_INLINE_BYTES 64
#define ATRIUM_IS_SMALL(bytes) (__builtin_constant_p(bytes) && (bytes) > 0 && (bytes) <= ATRIUM_INLINE_BYTES)
void atrium_put_1(void* there, const void* source, size_t bytes);
void atrium_get_1(void* dest, const void* there, size_t bytes);
#define ATRIUM_PUT_BLOCK(there, source, bytes) ATRIUM_COPY_BY(put, ATRIUM_WORD_BYTES, there, source, bytes)
#define ATRIUM_GET_BLOCK(dest, there, bytes) ATRIUM_COPY_BY(get, 0, dest, there, bytes)
#define ATRIUM_COPY_BY(direction, too_small, to, from, count)                                               \
  __extension__({                                                                                           \
    void* const atrium_to = (to);                                                                           \
    const void* const atrium_from = (from);                                                                 \
    size_t atrium_bytes = (count);                                                                          \
    __asm__("" : "+r"(atrium_bytes));                                                                       \
    if (__builtin_expect(                                                                                   \
            !ATRIUM_ARE_APART(ATRIUM_ADDRESS(atrium_to) - ATRIUM_ADDRESS(atrium_from), atrium_bytes), 0) || \
        __builtin_expect(atrium_bytes - (too_small)-1 >= atrium_copies_1.direction, 0))                     \
      atrium_##direction##_1(atrium_to, atrium_from, atrium_bytes);                                         \
    else                                                                                                    \
      __builtin_memcpy(atrium_to, atrium_from, atrium_bytes);                                               \
  })

#ifdef __cplusplus
}
#endif

#endif
