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

/* Copies of 1 to ATRIUM_INLINE_BYTES bytes are moves, where the compiler knows the size; those of a word to ATRIUM_INLINE_BYTES
 * bytes also where it does not, unless code is to be small. Others are a call of memcpy or, where that is not the fastest copy or not
 * allowed, of the library. It is not allowed for ranges that overlap, nor for 0 bytes, whose addresses may be null. */
#define ATRIUM_INLINE_BYTES 64
#define ATRIUM_IS_SMALL(bytes) (__builtin_constant_p(bytes) && (bytes) > 0 && (bytes) <= ATRIUM_INLINE_BYTES)
#ifdef __OPTIMIZE_SIZE__
#define ATRIUM_IS_MOVED(bytes) 0
#else
#define ATRIUM_IS_MOVED(bytes) ((bytes)-ATRIUM_WORD_BYTES <= ATRIUM_INLINE_BYTES - ATRIUM_WORD_BYTES)
#endif

/* Pieces from both ends, which meet or overlap in the middle. A single piece is stored once, as its reader may clear it as soon as it
 * is there. */
#define ATRIUM_MOVE_ENDS(piece, to, from, bytes)                                                           \
  do {                                                                                                     \
    piece atrium_first, atrium_last;                                                                       \
    __builtin_memcpy(&atrium_first, from, sizeof(piece));                                                  \
    __builtin_memcpy(&atrium_last, from + bytes - sizeof(piece), sizeof(piece));                           \
    __builtin_memcpy(to, &atrium_first, sizeof(piece));                                                    \
    if (bytes != sizeof(piece)) __builtin_memcpy(to + bytes - sizeof(piece), &atrium_last, sizeof(piece)); \
  } while (0)
typedef unsigned char atrium_vector __attribute__((__vector_size__(16), __aligned__(1), __may_alias__));

/* 32 to 64 bytes. All vectors are read before any is written. (An object of 32 bytes would take a detour over the stack, gcc 12.) */
ATRIUM_INLINE void atrium_move_four(char* to, const char* from, size_t bytes) {
  atrium_vector first, second, third, last;
  __builtin_memcpy(&first, from, 16);
  __builtin_memcpy(&second, from + 16, 16);
  __builtin_memcpy(&third, from + bytes - 32, 16);
  __builtin_memcpy(&last, from + bytes - 16, 16);
  __builtin_memcpy(to, &first, 16);
  __builtin_memcpy(to + 16, &second, 16);
  __builtin_memcpy(to + bytes - 32, &third, 16);
  __builtin_memcpy(to + bytes - 16, &last, 16);
}
ATRIUM_INLINE void atrium_move(char* to, const char* from, size_t bytes) {
  if (bytes >= 32)
    atrium_move_four(to, from, bytes);
  else if (bytes >= 16)
    ATRIUM_MOVE_ENDS(atrium_vector, to, from, bytes);
  else
    ATRIUM_MOVE_ENDS(uint64_t, to, from, bytes);
}

/* The size is hidden from the compiler, which would expand some memcpys of hundreds of bytes into slow instructions. So are the addresses
 * of the memcpy, which are in registers by then: gcc would warn of a null one that goes with 0 bytes, as it does not know the bytes. */
ATRIUM_INLINE void atrium_copy_block(void* to, const void* from, size_t bytes, size_t too_small,
                                     const size_t* largest, void (*library)(void*, const void*, size_t)) {
  __asm__("" : "+r"(bytes));
  if (__builtin_expect(!ATRIUM_ARE_APART(ATRIUM_ADDRESS(to) - ATRIUM_ADDRESS(from), bytes), 0))
    library(to, from, bytes);
  else if (ATRIUM_IS_MOVED(bytes))
    atrium_move(ATRIUM_CAST(char*, to), ATRIUM_CAST(const char*, from), bytes);
  else if (__builtin_expect(bytes - too_small - 1 >= *largest, 0))
    library(to, from, bytes);
  else {
    __asm__("" : "+r"(to), "+r"(from));
    __builtin_memcpy(to, from, bytes);
  }
}

/* `there` is the address at which this PE sees the peer's copy. */
void atrium_put_1(void* there, const void* source, size_t bytes);
void atrium_get_1(void* dest, const void* there, size_t bytes);
ATRIUM_INLINE void atrium_put_block(void* there, const void* source, size_t bytes) {
  atrium_copy_block(there, source, bytes, ATRIUM_WORD_BYTES, &atrium_copies_1.put, atrium_put_1);
}
ATRIUM_INLINE void atrium_get_block(void* dest, const void* there, size_t bytes) {
  atrium_copy_block(dest, there, bytes, 0, &atrium_copies_1.get, atrium_get_1);
}

#ifdef __cplusplus
}
#endif

#endif
