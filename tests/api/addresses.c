/* Takes addresses of inlined routines: in an executable that is not position-independent these lie in the
 * executable.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <shmem.h>

extern void (*const puts_by_address)(long*, long, int);
extern long (*const gets_by_address)(const long*, int);
void (*const puts_by_address)(long*, long, int) = shmem_long_p;
long (*const gets_by_address)(const long*, int) = shmem_long_g;
