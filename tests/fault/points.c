/* Preloaded into oshrun and the PEs: counts the calls of the system that libatrium and oshrun make, or lets one fail.
 * Generic over functions: nothing in the product knows of it, and a new call is found by itself (points.py).
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *   FAULT_LOG=FILE    append a line for each call of the first MOST_NOTED of a place: MODULE FUNCTION OFFSET N
 *   FAULT_POINT=MODULE:FUNCTION:OFFSET:N    the N-th call from there (in a process) fails, with the error below
 *   FAULT_ONCE=FILE     but only in the first process that gets there: it makes this file
 *
 * A place is where the call returns to: a module (the name of its file) and the offset in it. Each function takes what
 * is in the registers, looks, and jumps on to the real one (a sibling call: the stack is as it was, so that more
 * arguments pass, and vfork may return twice). That needs -O2, and no instrumentation. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

enum { PLACES = 4096, MOST_NOTED = 3 };

typedef long Function(long, long, long, long, long, long);

typedef struct {
  uintptr_t caller;
  int watched; /* of one of our modules */
  int calls;
  char name[160]; /* MODULE:FUNCTION:OFFSET */
} Place;
static Place places[PLACES];

/* System calls past the functions that stand here. */
static long call_kernel(long number, long a, long b, long c, long d) {
  static Function* real;
  if (!real) real = (Function*)dlsym(RTLD_NEXT, "syscall");
  return real(number, a, b, c, d, 0);
}

static void note(const Place* place) {
  const char* log = getenv("FAULT_LOG");
  char line[200];
  if (!log || place->calls > MOST_NOTED) return;
  const int length = snprintf(line, sizeof line, "%s:%d\n", place->name, place->calls);
  const long file = call_kernel(SYS_openat, -100, (long)log, 02001 /* append */, 0);
  call_kernel(SYS_write, file, (long)line, length, 0);
  call_kernel(SYS_close, file, 0, 0, 0);
}

static int is_first_process(void) {
  const char* token = getenv("FAULT_ONCE");
  if (!token) return 1;
  const long file =
      call_kernel(SYS_openat, -100, (long)token, 0301 /* create, exclusively, to write */, 0600);
  if (file < 0) return 0;
  call_kernel(SYS_close, file, 0, 0, 0);
  return 1;
}

static void describe(Place* place, const char* function, void* caller) {
  Dl_info found;
  if (!dladdr(caller, &found) || !found.dli_fname) return;
  const char* slash = strrchr(found.dli_fname, '/');
  const char* module = slash ? slash + 1 : found.dli_fname;
  place->watched = !strcmp(module, "oshrun") || !strncmp(module, "libatrium.so", 12);
  snprintf(place->name, sizeof place->name, "%s:%s:%lx", module, function,
           (unsigned long)((char*)caller - (char*)found.dli_fbase));
}

static Place* find_place(const char* function, void* caller) {
  size_t slot = ((uintptr_t)caller >> 1) % PLACES;
  while (places[slot].caller && places[slot].caller != (uintptr_t)caller) slot = (slot + 1) % PLACES;
  if (!places[slot].caller) {
    places[slot].caller = (uintptr_t)caller;
    describe(&places[slot], function, caller);
  }
  return &places[slot];
}

static int fails(const char* function, void* caller) {
  static __thread int inside;
  if (inside) return 0;
  inside = 1;
  const int error = errno;
  Place* place = find_place(function, caller);
  int failing = 0;
  if (place->watched) {
    const char* wanted = getenv("FAULT_POINT");
    const size_t length = strlen(place->name);
    const int calls = __atomic_add_fetch(&place->calls, 1, __ATOMIC_RELAXED);
    note(place);
    failing = wanted && !strncmp(wanted, place->name, length) && wanted[length] == ':' &&
              atoi(wanted + length + 1) == calls && is_first_process();
  }
  errno = error;
  inside = 0;
  return failing;
}

#define POINT(name, error, answer)                                                       \
  static Function* real_##name;                                                          \
  __attribute__((visibility("default"))) long point_##name(long, long, long, long, long, \
                                                           long) __asm__(#name);         \
  long point_##name(long a, long b, long c, long d, long e, long f) {                    \
    if (!real_##name) real_##name = (Function*)dlsym(RTLD_NEXT, #name);                  \
    if (fails(#name, __builtin_return_address(0))) return errno = (error), (answer);     \
    return real_##name(a, b, c, d, e, f);                                                \
  }
#include "points.table"

static Function* real_syscall;
__attribute__((visibility("default"))) long point_syscall(long, long, long, long, long,
                                                          long) __asm__("syscall");
long point_syscall(long number, long b, long c, long d, long e, long f) {
  if (!real_syscall) real_syscall = (Function*)dlsym(RTLD_NEXT, "syscall");
  const int is_wake = number == SYS_futex && (c & 127) == 1; /* which cannot fail */
  if (!is_wake && fails("syscall", __builtin_return_address(0))) {
    errno = number == SYS_futex ? EINTR : ENOSYS; /* the others are new, and old kernels lack them */
    return -1;
  }
  return real_syscall(number, b, c, d, e, f);
}
