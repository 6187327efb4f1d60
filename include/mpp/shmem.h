/* The place of shmem.h before OpenSHMEM 1.1; deprecated. Programs that still include it may still call the
 * cache routines that OpenSHMEM 1.5 removed: they do nothing on coherent memory.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef MPP_SHMEM_H
#define MPP_SHMEM_H

#include "../shmem.h"

static __inline void shmem_set_cache_inv(void) {}
static __inline void shmem_clear_cache_inv(void) {}
static __inline void shmem_set_cache_line_inv(void* dest) { (void)dest; }
static __inline void shmem_clear_cache_line_inv(void* dest) { (void)dest; }
static __inline void shmem_udcflush(void) {}
static __inline void shmem_udcflush_line(void* dest) { (void)dest; }

#endif
