/* Takes the address of every routine of the specification and of every pshmem_ twin, and uses every constant.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <pshmem.h>
#include <stdio.h>

typedef void (*Routine)(void);

static const struct {
  const char* name;
  Routine routine;
} names[] = {
#define NAME(name) {#name, (Routine)name},
#include "functions.inc"
};

/* The handles are variables, the other constants integers and one string: all can be compared with 0. */
static int constants(void) {
  int given = 0;
#define CONSTANT(name) given += (name) != 0 || (name) == 0;
#include "constants.inc"
  return given;
}

int main(void) {
  const size_t count = sizeof names / sizeof *names;
  for (size_t i = 0; i < count; i++) {
    if (!names[i].routine) return printf("%s has no address\n", names[i].name), 1;
  }
  printf("%zu names have an address, %d constants a value\n", count, constants());
  return 0;
}
