/* OpenSHMEM 1.6: one-sided communication between the processing elements (PEs) of a job.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The parts follow the chapters of the specification; each declares its routines one per line. The routines
 * that are as cheap as a load or a store are also defined inline (shmem/inline.h); -DATRIUM_NO_INLINE leaves
 * them to the library. */
#ifndef SHMEM_H
#define SHMEM_H

/* Like the headers of the system: no warning that a program asks for is about them. Those about the program's own
 * arguments stay, at its lines. */
#ifdef __GNUC__
#pragma GCC system_header
#endif

#include "shmem/atomics.h"     /* 9.7  atomic operations */
#include "shmem/collectives.h" /* 9.10 collectives */
#include "shmem/constants.h"   /* 6    constants */
#include "shmem/contexts.h"    /* 9.5  contexts */
#include "shmem/deprecated.h"  /* what older programs use */
#include "shmem/locks.h"       /* 9.13 locks */
#include "shmem/memory.h"      /* 9.3  memory management */
#include "shmem/ordering.h"    /* 9.12 fence and quiet */
#include "shmem/profiling.h"   /* 10   profiling */
#include "shmem/rma.h"         /* 9.6  put and get */
#include "shmem/sessions.h"    /* 9.9  sessions */
#include "shmem/setup.h"       /* 9.1  setup, exit, query; 9.2 threads */
#include "shmem/signals.h"     /* 9.8  signals */
#include "shmem/teams.h"       /* 9.4  teams */
#include "shmem/types.h"       /* 7    handles */
#include "shmem/wait.h"        /* 9.11 wait and test */

#if defined(__GNUC__) && !defined(ATRIUM_NO_INLINE)
#include "shmem/inline.h"
#endif

#if defined(__GNUC__) && !defined(ATRIUM_NO_INLINE) && !defined(__OPTIMIZE__)
#include "shmem/unoptimised.h"
#endif

#if defined(__cplusplus)
#include "shmem/overloads.h"
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#include "shmem/generics.h"
#endif

#endif
