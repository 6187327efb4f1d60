/* What the Fortran interfaces share: array descriptors, argument checks, and the routines that C lacks.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Everything here is built on <shmem.h> alone, so that a tool that replaces shmem_ routines sees a Fortran
 * program's calls too. Whatever calls OpenSHMEM here is named shmem_..._ or atrium_..., also where it is static: by that
 * tools know that a caller is not the program (symbols/fortran_names.hpp).
 *
 * Words.  A *remote* argument is one that must be symmetric: a SAVE, COMMON or module variable of the program
 *         or a block of the symmetric heap. A compiler may pass the address of a copy instead (of an array
 *         section with gaps, of an expression); such an argument is refused by a message. */
#ifndef ATRIUM_FORTRAN_SUPPORT_H
#define ATRIUM_FORTRAN_SUPPORT_H

#include <shmem.h>
#include <stdint.h>

/* One argument of type(*), dimension(..): the standard's CFI_cdesc_t. Its last four bytes before `dim` hold
 * rank, attribute and type in an order that differs between compilers; rank comes first in all of them. */
struct atrium_dimension {
  ptrdiff_t lower_bound;
  ptrdiff_t extent; /* elements; -1: the last one of an assumed-size array */
  ptrdiff_t stride; /* bytes */
};
typedef struct {
  void* base;
  size_t element; /* bytes */
  int version;    /* of the compiler's header: tells whose descriptor it is */
  int8_t rank;
  uint8_t kind[3];
  struct atrium_dimension dim[];
} atrium_array;

#define ATRIUM_ALL SIZE_MAX /* as many elements as the array has */

/* The library's message, with the line of the program's call; the job ends. */
_Noreturn void atrium_refuse_1(const char* what, const char* because, const char* routine,
                               const char* remedy);
_Noreturn void atrium_fortran_refuse(const char* routine, const char* argument, const char* what,
                                     const char* because, const char* remedy);
_Noreturn void atrium_fortran_refuse_address(const char* routine, const char* argument, const void* address);
_Noreturn void atrium_fortran_refuse_count(const char* routine, const char* argument, long long count);

/* A remote argument. Before shmem_init nothing is symmetric yet: then the library itself says what is wrong. */
static inline void atrium_fortran_remote(const char* routine, const char* argument, const void* address) {
  const struct atrium_inline_path* mine = &atrium_inline_path_2;
  const uintptr_t place = (uintptr_t)address;
  for (int i = 0; i < ATRIUM_RANGES; ++i)
    if (place - mine->ranges[i].begin < mine->ranges[i].bytes) return;
  if (mine->ranges[0].bytes) atrium_fortran_refuse_address(routine, argument, address);
}

/* A number of elements: Fortran's integers are signed. */
static inline size_t atrium_fortran_count(const char* routine, const char* argument, long long count) {
  if (count < 0) atrium_fortran_refuse_count(routine, argument, count);
  return (size_t)count;
}

/* The status of a routine: into `stat` where the caller has it, else anything but 0 ends the job. */
void atrium_fortran_status(const char* routine, int* stat, int status);

/* The classic interface. */
extern long
    atrium_fortran_psync[]; /* for C's pSync, which Atrium leaves alone; Fortran's has other elements */
void atrium_fortran_name(char* name, size_t length);
void atrium_shpalloc(void** address, int words, int* error, int aborts);
void atrium_shpclmove(void** address, int words, int* error, int aborts);
void atrium_shpdeallc(void** address, int* error, int aborts);
void atrium_fortran_set_lock(uint32_t* lock);
void atrium_fortran_clear_lock(uint32_t* lock);
int atrium_fortran_test_lock(uint32_t* lock);
void atrium_real16_max_to_all(void* dest, const void* source, size_t count, int start, int log_stride,
                              int size);
void atrium_real16_min_to_all(void* dest, const void* source, size_t count, int start, int log_stride,
                              int size);
void atrium_real16_sum_to_all(void* dest, const void* source, size_t count, int start, int log_stride,
                              int size);
void atrium_real16_prod_to_all(void* dest, const void* source, size_t count, int start, int log_stride,
                               int size);

/* Arrays of any rank (module shmem_f08). */
typedef void (*atrium_mover)(shmem_ctx_t, void*, const void*, size_t bytes, int pe);
typedef struct {
  const char* routine;
  atrium_mover move;
  int is_put;
} atrium_transfer;
extern const atrium_transfer atrium_put, atrium_get, atrium_put_nbi, atrium_get_nbi;

void atrium_fortran_move(const atrium_transfer*, shmem_ctx_t, const atrium_array* dest,
                         const atrium_array* source, size_t count, int pe);
void atrium_fortran_put_signal(int blocking, shmem_ctx_t, const atrium_array* dest,
                               const atrium_array* source, size_t count, uint64_t* sig_addr, uint64_t signal,
                               int sig_op, int pe);
/* Blocks of `block` elements, `dst` and `sst` elements apart. */
void atrium_fortran_strided(const atrium_transfer*, const char* routine, shmem_ctx_t,
                            const atrium_array* dest, const atrium_array* source, ptrdiff_t dst,
                            ptrdiff_t sst, size_t block, size_t count, int pe);
/* Elements of an array without gaps that the collective `routine` works on. */
size_t atrium_fortran_whole(const char* routine, const char* argument, const atrium_array*);
/* The same of `source`, for which `dest` must have `times` times the room. */
size_t atrium_fortran_fitting(const char* routine, const atrium_array* dest, const atrium_array* source,
                              size_t times);
size_t atrium_fortran_block(const char* routine, shmem_team_t, const atrium_array* dest,
                            const atrium_array* source);
int atrium_fortran_alltoalls(shmem_team_t, const atrium_array* dest, const atrium_array* source,
                             ptrdiff_t dst, ptrdiff_t sst, size_t count);
const int* atrium_fortran_mask(const char* routine, const atrium_array* status, size_t count);
/* Indices begin with 1 in Fortran; none is 0. */
static inline int64_t atrium_fortran_index(size_t index) {
  return index == SIZE_MAX ? 0 : (int64_t)index + 1;
}
int64_t atrium_fortran_indices(int32_t* out, const size_t* found, size_t count);
const void* atrium_fortran_values(const char* routine, const atrium_array* values, size_t count);
size_t* atrium_fortran_room(const char* routine, const atrium_array* indices, size_t count);

#endif
