/* What every conformance program shares: checks that say what went wrong and where, and the verdict.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef CHECK_H
#define CHECK_H

#include <shmem.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int check_failures;
static int me = -1, npes = -1;

/* CHECK(condition, "what was expected, with %d", values...): goes on after a failure, tells about the first
 * ten. */
#define CHECK(condition, ...) check_that((condition), #condition, __FILE__, __LINE__, __VA_ARGS__)

__attribute__((format(printf, 5, 6), unused)) static void check_that(int holds, const char* condition,
                                                                     const char* file, int line,
                                                                     const char* format, ...) {
  char text[512];
  va_list values;
  if (holds || ++check_failures > 10) return;
  va_start(values, format);
  vsnprintf(text, sizeof text, format, values);
  va_end(values);
  fprintf(stderr, "%s:%d: PE %d of %d: %s: not (%s)\n", file, line, me, npes, text, condition);
}

/* How often a program tries what it repeats: TEST_ROUNDS multiplies the usual number, 0.1 makes it a tenth; once at least. */
__attribute__((unused)) static long test_rounds(long usual) {
  const char* factor = getenv("TEST_ROUNDS");
  const double scaled = factor ? (double)usual * atof(factor) : (double)usual;
  return scaled < 1 ? 1 : (long)scaled;
}

/* Between init and finalize; after it `me` and `npes` are set. */
__attribute__((unused)) static void learn_who_i_am(void) {
  me = shmem_my_pe();
  npes = shmem_n_pes();
}

__attribute__((unused)) static void begin(void) {
  shmem_init();
  learn_who_i_am();
}

/* The exit status of the program. */
__attribute__((unused)) static int verdict(void) {
  if (check_failures) fprintf(stderr, "PE %d: %d checks failed\n", me, check_failures);
  return check_failures != 0;
}

__attribute__((unused)) static int end(void) {
  shmem_finalize();
  return verdict();
}

__attribute__((unused)) static int right(void) { return (me + 1) % npes; }
__attribute__((unused)) static int left(void) { return (me + npes - 1) % npes; }

/* Is that PE on my node, so that its memory has an address here? */
__attribute__((unused)) static int shares(int pe) {
  return shmem_team_translate_pe(SHMEM_TEAM_WORLD, pe, SHMEM_TEAM_SHARED) != -1;
}

/* A value that fits every type, is never 0, and tells PEs and elements apart. */
#define VALUE(TYPE, pe, i) ((TYPE)(((pe)*31 + (i)*7) % 97 + 1))

#endif
