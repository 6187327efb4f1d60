/* Messages, the symmetric heap by Cray pointers, and the small routines of the classic Fortran interface.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

long atrium_fortran_psync[SHMEM_SYNC_SIZE];

_Noreturn void atrium_fortran_refuse(const char* routine, const char* argument, const char* what,
                                     const char* because, const char* remedy) {
  char text[160];
  snprintf(text, sizeof text, "%s %s", argument, what);
  atrium_refuse_1(text, because, routine, remedy);
}

_Noreturn void atrium_fortran_refuse_address(const char* routine, const char* argument, const void* address) {
  const int is_classic = routine[0] == 'S'; /* shmem_f08 takes sections as they are */
  if (!address)
    atrium_fortran_refuse(routine, argument, "is not there",
                          "it is a null pointer, as of an array without memory",
                          "ALLOCATE or SHPALLOC before the call");
  char because[160];
  snprintf(because, sizeof because, "%p is neither in this PE's static data nor in its symmetric heap%s",
           address, is_classic ? "; for an array section with gaps the compiler passes a copy" : "");
  atrium_fortran_refuse(routine, argument, "is not symmetric", because,
                        is_classic
                            ? "a SAVE, COMMON or module variable, or shpalloc; for a section shmem_iput, "
                              "shmem_iget or `use shmem_f08`"
                            : "a SAVE, COMMON or module variable, or memory of shmem_malloc");
}

_Noreturn void atrium_fortran_refuse_count(const char* routine, const char* argument, long long count) {
  char because[64];
  snprintf(because, sizeof because, "its value is %lld", count);
  atrium_fortran_refuse(routine, argument, "is no number of elements", because, "0 or more");
}

void atrium_fortran_status(const char* routine, int* stat, int status) {
  if (stat) *stat = status;
  if (stat || status == 0) return;
  char because[64];
  snprintf(because, sizeof because, "it answered %d and the call has no stat=", status);
  atrium_fortran_refuse(routine, "the call", "failed", because,
                        "stat= to go on, or ATRIUM_CHECK=1 to see which argument is wrong");
}

/* Blanks behind the name, no terminator. */
void atrium_fortran_name(char* name, size_t length) {
  char text[SHMEM_MAX_NAME_LEN];
  shmem_info_get_name(text);
  const size_t used = strnlen(text, length);
  memcpy(name, text, used);
  memset(name + used, ' ', length - used);
}

/* The error codes of SHPALLOC, SHPCLMOVE and SHPDEALLC. */
enum { bad_length = -1, no_memory = -2, outside_heap = -3 };

static void atrium_shp_answer(const char* routine, int error, int* to, int aborts) {
  static const struct {
    const char *because, *remedy;
  } said[] = {{"the length is not greater than 0", "a length of 1 or more words of 32 bits"},
              {"the symmetric heap has no block of this size left",
               "SHMEM_SYMMETRIC_SIZE=4G for more memory, or an abort code of 0 to go on"},
              {"the address is outside the symmetric heap", "an address that SHPALLOC has given"}};
  *to = error;
  if (error >= 0 || !aborts) return;
  atrium_fortran_refuse(routine, "the call", "failed", said[-error - 1].because, said[-error - 1].remedy);
}

static int is_in_heap(const void* address) {
  return (uintptr_t)address - atrium_inline_path_2.ranges[0].begin < atrium_inline_path_2.ranges[0].bytes;
}

void atrium_shpalloc(void** address, int words, int* error, int aborts) {
  *address = words > 0 ? shmem_malloc((size_t)words * 4) : NULL;
  atrium_shp_answer("SHPALLOC", words <= 0 ? bad_length : *address ? 0 : no_memory, error, aborts);
}

void atrium_shpclmove(void** address, int words, int* error, int aborts) {
  int status = words <= 0 ? bad_length : is_in_heap(*address) ? 0 : outside_heap;
  if (status == 0) {
    void* moved = shmem_realloc(*address, (size_t)words * 4);
    status = !moved ? no_memory : moved != *address;
    if (moved) *address = moved;
  }
  atrium_shp_answer("SHPCLMOVE", status, error, aborts);
}

void atrium_shpdeallc(void** address, int* error, int aborts) {
  const int status = is_in_heap(*address) ? 0 : outside_heap;
  if (status == 0) shmem_free(*address);
  atrium_shp_answer("SHPDEALLC", status, error, aborts);
}
