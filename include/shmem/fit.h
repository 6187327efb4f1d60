/* Checks that a transfer fits into an object whose size the compiler knows, as fortified C libraries do.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The check leaves no instruction in the program if the compiler also knows the number of elements, or if it does not know the
 * object. */
#ifndef SHMEM_FIT_H
#define SHMEM_FIT_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Ends the job, unless ATRIUM_CHECK=0. Part of the ABI. */
__attribute__((__cold__)) void atrium_leaves_1(const char* argument, const void* object, size_t left,
                                               size_t bytes);

#ifdef __cplusplus
}
#endif

#define ATRIUM_FIT(argument, object, bytes)                                         \
  (__builtin_expect(__builtin_object_size(object, 0) < (bytes), 0)                  \
       ? atrium_leaves_1(argument, object, __builtin_object_size(object, 0), bytes) \
       : (void)0)
#define ATRIUM_FITS(dest, source, bytes) \
  (ATRIUM_FIT("dest", dest, bytes), ATRIUM_FIT("source", source, bytes))

#endif
