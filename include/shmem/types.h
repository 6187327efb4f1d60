/* Handles and configuration records of OpenSHMEM 1.6 (sections 7, 9.4.3, 9.9.1) and what the inline fast path
 * reads.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHMEM_TYPES_H
#define SHMEM_TYPES_H

#include <stddef.h>
#include <stdint.h>

#include "shmem/constants.h"

/* Complex element types: `double _Complex` in C, std::complex<double> in C++, where overloads.h takes `double
 * _Complex` as well; the same bytes. Only pointers to them occur, so a declaration is enough: including
 * <complex> would cost every C++ file a quarter of a second. */
#ifdef __cplusplus
#include <cstddef>
#ifdef __GLIBCXX__
/* clang-format off */
namespace std _GLIBCXX_VISIBILITY(default) {
_GLIBCXX_BEGIN_NAMESPACE_VERSION
template <typename>
class complex;
_GLIBCXX_END_NAMESPACE_VERSION
}
/* clang-format on */
#else
#include <complex>
#endif
#define ATRIUM_COMPLEX(real) std::complex<real>
__extension__ typedef double _Complex atrium_builtin_complex_double;
__extension__ typedef float _Complex atrium_builtin_complex_float;
#else
#define ATRIUM_COMPLEX(real) real _Complex
#endif

#if defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#define ATRIUM_NORETURN _Noreturn
#else
#define ATRIUM_NORETURN __attribute__((__noreturn__))
#endif

/* Casts and null pointers for which no C++ compiler warns, whatever its flags. */
#ifdef __cplusplus
#define ATRIUM_CAST(type, value) static_cast<type>(value)
#define ATRIUM_POINTER(type, address) reinterpret_cast<type*>(address)
#define ATRIUM_ADDRESS(pointer) reinterpret_cast<uintptr_t>(pointer)
#else
#define ATRIUM_CAST(type, value) ((type)(value))
#define ATRIUM_POINTER(type, address) ((type*)(address))
#define ATRIUM_ADDRESS(pointer) ((uintptr_t)(pointer))
#endif
#if defined(__cplusplus) && __cplusplus >= 201103L
#define ATRIUM_NULL nullptr
#else
#define ATRIUM_NULL 0
#endif

/* The compiler always expands the body in place and never emits it, as in fortified C libraries. So the address of a routine is
 * that of the library's symbol, and a tool may define the routine after including shmem.h.
 */
#define ATRIUM_INLINE extern __inline__ __attribute__((__gnu_inline__, __always_inline__, __artificial__))

#ifdef __cplusplus
extern "C" {
#endif

/* What the inline fast path reads of a context. Part of the ABI. */
#define ATRIUM_AWAY ATRIUM_CAST(ptrdiff_t, 1)
struct atrium_context {
  /* For each PE of the team: the number of bytes to add to this PE's address of a symmetric object to get the address of that PE's
   * copy. ATRIUM_AWAY: the library must be called. */
  const ptrdiff_t* inline_delta;
  /* Zero: all operations on this context are complete, and a fence or quiet on it needs no call. */
  uint64_t pending;
};
struct atrium_team;

typedef struct atrium_context* shmem_ctx_t;
typedef struct atrium_team* shmem_team_t;

/* Where this PE's symmetric memory lies, and whether inline code may execute calls that name no peer. Part of the ABI;
 * the number in the name changes with the layout. */
#define ATRIUM_RANGES 2
struct atrium_range {
  uintptr_t begin;
  size_t bytes;
};
struct atrium_inline_path {
  struct atrium_range ranges[ATRIUM_RANGES]; /* my symmetric heap; the executable's writable static data */
  int closed; /* nonzero: calls without a peer must go through the library, too */
};
extern struct atrium_inline_path atrium_inline_path_2;

/* This PE's number and how many PEs there are; both -1 before init, after finalize, and where a tool wants to see such calls. Part
 * of the ABI. */
struct atrium_numbers {
  int me, pes;
};
extern struct atrium_numbers atrium_numbers_1;

/* The predefined handles are named constants (7): addresses that the linker knows, with which static objects,
 * too, can be initialised. Part of the ABI. (Variables of these names are for Fortran and for programs that were
 * compiled when there was nothing else.) */
extern struct atrium_context atrium_default_context_1;
extern struct atrium_team atrium_world_team_1;
extern struct atrium_team atrium_shared_team_1;
#define SHMEM_CTX_DEFAULT (&atrium_default_context_1)
#define SHMEM_TEAM_WORLD (&atrium_world_team_1)
#define SHMEM_TEAM_SHARED (&atrium_shared_team_1)
#define SHMEM_CTX_INVALID ATRIUM_CAST(shmem_ctx_t, ATRIUM_NULL)
#define SHMEM_TEAM_INVALID ATRIUM_CAST(shmem_team_t, ATRIUM_NULL)

/* Elements: contexts. Section 9.4.3. */
typedef struct {
  int num_contexts;
} shmem_team_config_t;

/* Elements: operations. Section 9.9. */
typedef struct {
  size_t total_ops;
} shmem_ctx_session_config_t;

#ifdef __cplusplus
}
#endif

#endif
