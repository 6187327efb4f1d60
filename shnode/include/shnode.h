/* shnode: the PEs of my node, and their memory by plain loads and stores, over any OpenSHMEM from 1.2 on.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Words.  Node: PEs that see each other's symmetric memory (shmem_ptr answers an address, in both
 * directions). Member: a PE of my node. Object: symmetric data that was registered. Delta: what is added to
 * my address of an object to get the address at which I see a member's copy. Leader: the member that speaks
 * to other nodes for its group in collectives.
 *
 * Invariants.  All PEs agree on who belongs to which node. An address is translated only inside a registered
 * object and only for a member. All other PEs are reached by the system's own routines, with the same result.
 *
 * Errors.  Calls return SHNODE_OK (0) or a negative code; shnode_strerror has the text of a code. Calls that return a
 * pointer, a value, or yes and no return NULL or 0 on failure, and shnode_error() has the code. A call that fails has
 * transferred nothing. shnode(3) says what the codes mean.
 *
 * Ordering.  Direct puts are stores. shnode_fence, shnode_quiet and the shnode barriers order and complete
 * them together with the system's operations. The system's own fence and quiet need not order such stores.
 *
 * Threads.  Transfers and look-ups may be made by several threads at once where the system allows that, also
 * beside one that is in a collective. Beginning, end, registering and removing: no other thread is in shnode.
 * What calls cost: the manual has it. */
#ifndef SHNODE_H
#define SHNODE_H

#ifdef __GNUC__
#pragma GCC system_header /* no warning that a program asks for is about this file */
#endif

#include <shmem.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define SHNODE_HAS_TEAMS (SHMEM_MAJOR_VERSION > 1 || (SHMEM_MAJOR_VERSION == 1 && SHMEM_MINOR_VERSION >= 5))

#ifdef __cplusplus
extern "C" {
#endif

enum {
  SHNODE_OK = 0,
  SHNODE_ERR_NO_INIT = -1, /* shnode_init was not called */
  SHNODE_ERR_NO_TEAM = -2, /* shnode_create_team was not called */
  SHNODE_ERR_AGAIN = -3,   /* shnode_init or shnode_create_team was called twice */
  SHNODE_ERR_PE = -4,      /* there is no such PE, or it is not in the set */
  SHNODE_ERR_UNREGISTERED =
      -5,                     /* the address, or the end of the block, lies outside every registered object */
  SHNODE_ERR_NOT_SHARED = -6, /* registered, but I cannot see that PE's copy */
  SHNODE_ERR_ARGUMENT = -7,   /* NULL, not symmetric, a negative count, an active set that does not fit */
  SHNODE_ERR_MEMORY = -8,     /* no memory left */
  SHNODE_ERR_SETTING = -9     /* a SHNODE_ variable has a value that is not understood */
};

/* The text of a code; never NULL. */
const char* shnode_strerror(int code);
/* The code of this thread's last call that failed; successful calls leave it. */
int shnode_error(void);

/* ---- The base ---- */

/* Over Atrium the library wakes PEs, and uses Atrium's numbering. So a shnode that was built for another OpenSHMEM must not
 * link with a program for Atrium: this name prevents it. */
#ifdef ATRIUM_AWAY
#define shnode_init shnode_init_over_atrium
#endif
/* Collective over all PEs, after shmem_init: reads the SHNODE_ variables, takes a little symmetric memory. */
int shnode_init(void);
/* Collective over all PEs: finds and agrees on the nodes, and registers `data` as the first object. A PE
 * whose copy of `data` is not visible is a node of its own (Open MPI's static data, for example). An argument
 * that is wrong on one PE is an error on all; SHNODE_ERR_MEMORY may be one PE's own: end the job then. */
int shnode_create_team(const void* data);
/* Registers one more object. All PEs register the same objects in the same order. The object reaches to the end of the mapping
 * in which it lies; in the symmetric heap that is the heap's end. Objects may overlap. An object with the same beginning as an
 * earlier one replaces it.
 * SHNODE_ERR_NOT_SHARED: it is registered, and is reached by the system's routines. */
int shnode_add_data(const void* data);
/* The same for exactly `bytes` bytes, all of them symmetric. */
int shnode_add_object(const void* data, size_t bytes);
/* Forgets an object, by its beginning: before its memory is freed. */
int shnode_remove_data(const void* data);
/* Collective over all PEs: gives everything back. */
int shnode_finalize(void);

/* 1 if the PE is on my node, I myself included; else 0. */
int shnode_is_team_member(int pe);
/* 1 on exactly one PE of each node. */
int shnode_am_team_leader(void);
/* The nodes, numbered from 0 in the order of their first PEs; the members of mine, 0 to size - 1, leader
 * first. */
int shnode_node_count(void);
int shnode_node_of(int pe);
int shnode_team_size(void);
int shnode_team_member(int index);
/* The leader of my group in collectives over all PEs (SHNODE_PES_PER_LEADER). */
int shnode_group_leader(void);

/* ---- Look-ups and transfers: inline, where the object was the last one used ---- */

/* Private to this header: an object as the inline functions see it, immutable once published. Sizes and differences are kept as
 * pointers (distances from NULL). So compilers know that the store of a number changes none of them. As size_t they might be
 * changed by the store of a long, and a loop of p would read both again for each element.
 * There are entries for at least 64 PEs: for a smaller PE number a look-up need not read how many there are. */
typedef struct {
  char* bytes; /* how much I see of that PE's copy: all of the object, or nothing */
  char* delta;
} shnode_view;
#define SHNODE_PLACES 64
typedef struct shnode_object {
  const char* begin;
  char* bytes; /* registered */
  unsigned places;
  shnode_view view[SHNODE_PLACES]; /* by PE; `places` of them */
} shnode_object;

/* Never NULL. Other threads may store them at any time. */
extern const shnode_object* shnode_last_found;
extern const shnode_object* shnode_last_transferred; /* what it shows is there for stores */
#define SHNODE_LAST(which) __atomic_load_n(&shnode_last_##which, __ATOMIC_RELAXED)
void* shnode_find(const void* data, int pe);
int shnode_put_slowly(void* dest, const void* source, size_t bytes, int pe);
int shnode_get_slowly(void* dest, const void* source, size_t bytes, int pe);
/* More than SHNODE_SMALL bytes, or a put of a word; `there` is the PE's copy as I see it. */
void shnode_put_block(void* there, void* dest, const void* source, size_t bytes, int pe);
void shnode_get_block(void* dest, const void* there, const void* source, size_t bytes, int pe);
#define SHNODE_SMALL 512
#define SHNODE_WORD 8
/* Whether a put copies in place. Not a word whose size only the running program knows: some memcpys store it twice, and whoever
 * has read and cleared it would find it again. */
#define SHNODE_PUTS_IN_PLACE(bytes)                      \
  (__builtin_constant_p(bytes) ? (bytes) <= SHNODE_SMALL \
                               : (bytes)-SHNODE_WORD - 1 < SHNODE_SMALL - SHNODE_WORD)
#define SHNODE_LIKELY(condition) __builtin_expect(!!(condition), 1)
#define SHNODE_UNLIKELY(condition) __builtin_expect(!!(condition), 0)

static __inline uintptr_t shnode_offset(const shnode_object* object, const void* data) {
  return (uintptr_t)data - (uintptr_t)object->begin;
}
static __inline const shnode_view* shnode_view_of(const shnode_object* object, int pe) {
  return object->view + (unsigned)pe;
}
/* Elements are aligned, so that their first byte decides. */
static __inline int shnode_sees(const shnode_object* object, const void* data, int pe) {
  return ((unsigned)pe < SHNODE_PLACES || (unsigned)pe < object->places) &&
         shnode_offset(object, data) < (uintptr_t)shnode_view_of(object, pe)->bytes;
}
static __inline int shnode_sees_block(const shnode_object* object, const void* data, size_t bytes, int pe) {
  return shnode_sees(object, data, pe) &&
         bytes <= (uintptr_t)shnode_view_of(object, pe)->bytes - shnode_offset(object, data);
}
/* Requires: it is seen. The compiler must not know which object the address came from, since the sum lies
 * outside it. No instruction. */
static __inline void* shnode_there(const shnode_object* object, const void* data, int pe) {
  uintptr_t address = (uintptr_t)data;
  __asm__("" : "+r"(address));
  return (void*)(address + (uintptr_t)shnode_view_of(object, pe)->delta);
}

/* My address of the copy of `data` that PE `pe` has; any address inside a registered object will do. NULL:
 * not visible, or an error. */
static __inline void* shnode_get_member_remote_addr(int pe, const void* data) {
  const shnode_object* object = SHNODE_LAST(found);
  return SHNODE_LIKELY(shnode_sees(object, data, pe)) ? shnode_there(object, data, pe)
                                                      : shnode_find(data, pe);
}

/* `dest` (put) or `source` (get) is symmetric and registered; `bytes` bytes, from or to PE `pe`. */
static __inline int shnode_putmem(void* dest, const void* source, size_t bytes, int pe) {
  const shnode_object* object = SHNODE_LAST(transferred);
  if (SHNODE_UNLIKELY(!shnode_sees_block(object, dest, bytes, pe)))
    return shnode_put_slowly(dest, source, bytes, pe);
  if (SHNODE_PUTS_IN_PLACE(bytes))
    memcpy(shnode_there(object, dest, pe), source, bytes);
  else
    shnode_put_block(shnode_there(object, dest, pe), dest, source, bytes, pe);
  return SHNODE_OK;
}
/* What was got is not older than what is read next: get has an acquire fence, free on x86. */
static __inline int shnode_getmem(void* dest, const void* source, size_t bytes, int pe) {
  const shnode_object* object = SHNODE_LAST(transferred);
  if (SHNODE_UNLIKELY(!shnode_sees_block(object, source, bytes, pe)))
    return shnode_get_slowly(dest, source, bytes, pe);
  if (bytes <= SHNODE_SMALL)
    memcpy(dest, shnode_there(object, source, pe), bytes);
  else
    shnode_get_block(dest, shnode_there(object, source, pe), source, bytes, pe);
  __atomic_thread_fence(__ATOMIC_ACQUIRE);
  return SHNODE_OK;
}

/* The standard's types: X(op, name in functions, C type, arg); op and arg are passed on. */
#define SHNODE_UNSIGNED_TYPES(X, op, arg)   \
  X(op, uchar, unsigned char, arg)          \
  X(op, ushort, unsigned short, arg)        \
  X(op, uint, unsigned int, arg)            \
  X(op, ulong, unsigned long, arg)          \
  X(op, ulonglong, unsigned long long, arg) \
  X(op, int8, int8_t, arg)                  \
  X(op, int16, int16_t, arg)                \
  X(op, int32, int32_t, arg)                \
  X(op, int64, int64_t, arg)                \
  X(op, uint8, uint8_t, arg)                \
  X(op, uint16, uint16_t, arg)              \
  X(op, uint32, uint32_t, arg)              \
  X(op, uint64, uint64_t, arg)              \
  X(op, size, size_t, arg)
#define SHNODE_SIGNED_TYPES(X, op, arg) \
  X(op, short, short, arg)              \
  X(op, int, int, arg)                  \
  X(op, long, long, arg)                \
  X(op, longlong, long long, arg)
#define SHNODE_FLOATING_TYPES(X, op, arg) \
  X(op, float, float, arg)                \
  X(op, double, double, arg)              \
  X(op, longdouble, long double, arg)
#ifdef __cplusplus
#define SHNODE_COMPLEX_TYPES(X, op, arg) /* C++ has other ones */
#else
#define SHNODE_COMPLEX_TYPES(X, op, arg) \
  X(op, complexf, float _Complex, arg)   \
  X(op, complexd, double _Complex, arg)
#endif
#define SHNODE_RMA_TYPES(X, op, arg) \
  X(op, char, char, arg)             \
  X(op, schar, signed char, arg)     \
  X(op, ptrdiff, ptrdiff_t, arg)     \
  SHNODE_SIGNED_TYPES(X, op, arg)    \
  SHNODE_UNSIGNED_TYPES(X, op, arg)  \
  SHNODE_FLOATING_TYPES(X, op, arg)

/* What is too much for a size_t lies outside every object. */
static __inline size_t shnode_bytes_of(size_t nelems, size_t size) {
  return nelems <= SIZE_MAX / size ? nelems * size : SIZE_MAX;
}

/* Called, not expanded, so that a loop around p or g keeps its registers. */
#define SHNODE_APART __attribute__((__noinline__, __unused__)) static

/* For each of SHNODE_RMA_TYPES, with N elements:
 *   int  shnode_TYPE_put(TYPE* dest, const TYPE* source, size_t N, int pe);
 *   int  shnode_TYPE_get(TYPE* dest, const TYPE* source, size_t N, int pe);
 *   int  shnode_TYPE_p(TYPE* dest, TYPE value, int pe);
 *   TYPE shnode_TYPE_g(const TYPE* source, int pe);                        (0 if it fails) */
#define SHNODE_DEFINE_RMA(op, name, type, arg)                                                             \
  static __inline int shnode_##name##_put(type* dest, const type* source, size_t nelems, int pe) {         \
    return shnode_putmem(dest, source, shnode_bytes_of(nelems, sizeof(type)), pe);                         \
  }                                                                                                        \
  static __inline int shnode_##name##_get(type* dest, const type* source, size_t nelems, int pe) {         \
    return shnode_getmem(dest, source, shnode_bytes_of(nelems, sizeof(type)), pe);                         \
  }                                                                                                        \
  SHNODE_APART int shnode_##name##_p_slowly(type* dest, type value, int pe) {                              \
    return shnode_put_slowly(dest, &value, sizeof value, pe);                                              \
  }                                                                                                        \
  SHNODE_APART type shnode_##name##_g_slowly(const type* source, int pe) {                                 \
    type value = 0;                                                                                        \
    (void)shnode_get_slowly(&value, source, sizeof value, pe);                                             \
    return value;                                                                                          \
  }                                                                                                        \
  static __inline int shnode_##name##_p(type* dest, type value, int pe) {                                  \
    const shnode_object* object = SHNODE_LAST(transferred);                                                \
    if (SHNODE_UNLIKELY(!shnode_sees(object, dest, pe))) return shnode_##name##_p_slowly(dest, value, pe); \
    *(type*)shnode_there(object, dest, pe) = value;                                                        \
    return SHNODE_OK;                                                                                      \
  }                                                                                                        \
  static __inline type shnode_##name##_g(const type* source, int pe) {                                     \
    const shnode_object* object = SHNODE_LAST(transferred);                                                \
    if (SHNODE_UNLIKELY(!shnode_sees(object, source, pe))) return shnode_##name##_g_slowly(source, pe);    \
    const type value = *(const type*)shnode_there(object, source, pe);                                     \
    __atomic_thread_fence(__ATOMIC_ACQUIRE);                                                               \
    return value;                                                                                          \
  }
SHNODE_RMA_TYPES(SHNODE_DEFINE_RMA, 0, 0)
#undef SHNODE_DEFINE_RMA
#undef SHNODE_APART

/* Puts the block, then sets `*flag` on the same PE: who sees the flag sees the block. `flag` is symmetric,
 * and may be waited for with shmem_long_wait_until. */
int shnode_putmem_flag(void* dest, const void* source, size_t bytes, long* flag, long value, int pe);
/* My transfers so far are ordered before later ones / are complete. */
int shnode_fence(void);
int shnode_quiet(void);

/* ---- Buffers that are swapped instead of copied ---- */

/* A buffer that I hold: `data` is where I read and write it now. The rest is private. */
typedef struct {
  void* data;
  size_t bytes;
  void* symmetric;
  int owner;
} shnode_buffer;

/* Collective over all PEs: `bytes` bytes of symmetric memory each, as shmem_malloc. */
int shnode_buffer_create(shnode_buffer* buffer, size_t bytes);
/* Collective over all PEs. */
int shnode_buffer_destroy(shnode_buffer* buffer);
/* Called by me and by `pe`, with buffers of the same creation: each then holds what the other held. On the
 * node the two pointers change hands (no byte is moved, `data` is different afterwards); else the bytes
 * travel. */
int shnode_exchange(shnode_buffer* buffer, int pe);

/* The order in which to send in an all-to-all: `order` (one place for each PE of the job) gets the PEs of
 * other nodes first, starting behind me, then the members, then me. Start those of the first phase (*away of
 * them) with non-blocking puts, and copy to the others while they fly. */
int shnode_alltoall_schedule(int* order, int* away);

/* ---- Collectives with leaders: node to leaders, across leaders, leaders to node ---- */

/* Arguments are those of the system's routine of the same name (OpenSHMEM 1.4), to which the call goes when
 * nothing is shared or SHNODE_COLLECTIVES=0; pWrk and pSync are used only then. Everything is symmetric, and
 * need not be registered (then it is copied by the system's routines). All complete transfers as theirs do.
 */
int shnode_barrier_all(void);
int shnode_barrier(int PE_start, int logPE_stride, int PE_size, long* pSync);

#define SHNODE_DECLARE_MOVES(bits)                                                                         \
  int shnode_broadcast##bits(void* dest, const void* source, size_t nelems, int PE_root, int PE_start,     \
                             int logPE_stride, int PE_size, long* pSync);                                  \
  int shnode_collect##bits(void* dest, const void* source, size_t nelems, int PE_start, int logPE_stride,  \
                           int PE_size, long* pSync);                                                      \
  int shnode_fcollect##bits(void* dest, const void* source, size_t nelems, int PE_start, int logPE_stride, \
                            int PE_size, long* pSync);                                                     \
  int shnode_alltoall##bits(void* dest, const void* source, size_t nelems, int PE_start, int logPE_stride, \
                            int PE_size, long* pSync);
SHNODE_DECLARE_MOVES(32)
SHNODE_DECLARE_MOVES(64)
#undef SHNODE_DECLARE_MOVES

/* The reductions: X(operation, name in functions, C type, arg). */
#define SHNODE_TO_ALL_TYPES(X, op, arg) \
  SHNODE_SIGNED_TYPES(X, op, arg)       \
  SHNODE_FLOATING_TYPES(X, op, arg)
#define SHNODE_TO_ALL_REDUCTIONS(X, arg) \
  SHNODE_TO_ALL_TYPES(X, sum, arg)       \
  SHNODE_TO_ALL_TYPES(X, prod, arg)      \
  SHNODE_TO_ALL_TYPES(X, min, arg)       \
  SHNODE_TO_ALL_TYPES(X, max, arg)       \
  SHNODE_COMPLEX_TYPES(X, sum, arg)      \
  SHNODE_COMPLEX_TYPES(X, prod, arg)     \
  SHNODE_SIGNED_TYPES(X, and, arg)       \
  SHNODE_SIGNED_TYPES(X, or, arg)        \
  SHNODE_SIGNED_TYPES(X, xor, arg)
#define SHNODE_TEAM_REDUCTIONS(X, arg) \
  SHNODE_RMA_TYPES(X, sum, arg)        \
  SHNODE_RMA_TYPES(X, prod, arg)       \
  SHNODE_RMA_TYPES(X, min, arg)        \
  SHNODE_RMA_TYPES(X, max, arg)        \
  SHNODE_COMPLEX_TYPES(X, sum, arg)    \
  SHNODE_COMPLEX_TYPES(X, prod, arg)   \
  SHNODE_UNSIGNED_TYPES(X, and, arg)   \
  SHNODE_UNSIGNED_TYPES(X, or, arg)    \
  SHNODE_UNSIGNED_TYPES(X, xor, arg)

/* int shnode_int_sum_to_all(int* dest, const int* source, int nreduce, int PE_start, ...) and so on; dest and
 * source are the same array or do not overlap. */
#define SHNODE_DECLARE_TO_ALL(op, name, type, arg)                                             \
  int shnode_##name##_##op##_to_all(type* dest, const type* source, int nreduce, int PE_start, \
                                    int logPE_stride, int PE_size, type* pWrk, long* pSync);
SHNODE_TO_ALL_REDUCTIONS(SHNODE_DECLARE_TO_ALL, 0)
#undef SHNODE_DECLARE_TO_ALL

#if SHNODE_HAS_TEAMS
/* The same over teams, as OpenSHMEM 1.5 has them: int shnode_int_sum_reduce(team, dest, source, nreduce), ...
 */
int shnode_team_sync(shmem_team_t team);
int shnode_broadcastmem(shmem_team_t team, void* dest, const void* source, size_t nelems, int PE_root);
int shnode_collectmem(shmem_team_t team, void* dest, const void* source, size_t nelems);
int shnode_fcollectmem(shmem_team_t team, void* dest, const void* source, size_t nelems);
int shnode_alltoallmem(shmem_team_t team, void* dest, const void* source, size_t nelems);
#define SHNODE_DECLARE_REDUCE(op, name, type, arg) \
  int shnode_##name##_##op##_reduce(shmem_team_t team, type* dest, const type* source, size_t nreduce);
SHNODE_TEAM_REDUCTIONS(SHNODE_DECLARE_REDUCE, 0)
#undef SHNODE_DECLARE_REDUCE
#endif

#ifdef __cplusplus
}
#endif

#endif
