# In a build with sanitizers alone: what they find makes a test fail.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2317  # cases are called by name

# Each of the three mistakes is one that the sanitizer of the same name finds.
function write_mistakes {
  cat >"$scratch/p.c" <<'C'
#include <limits.h>
#include <pthread.h>
#include <shmem.h>
#include <stdlib.h>
#include <string.h>

static int counted;

static void* count(void* nothing) {
  counted++;
  return nothing;
}

static void race(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, count, NULL);
  counted++;
  pthread_join(thread, NULL);
}

int main(int arguments, char** argument) {
  volatile int largest = INT_MAX;
  char* volatile block = calloc(4, 1);
  shmem_init();
  if (strcmp(argument[1], "undefined") == 0) largest += arguments;
  if (strcmp(argument[1], "address") == 0) block[3 + arguments] = 1;
  if (strcmp(argument[1], "thread") == 0) race();
  shmem_finalize();
  free(block);
  return 0;
}
C
  "$BUILD_TREE/bin/oshcc" -g "$scratch/p.c" -o "$scratch/p" -lpthread || complain "it does not compile"
}

a_finding_fails_a_test() {
  local mistake
  write_mistakes
  expect_status 0 oshrun -n 2 "$scratch/p" nothing
  for mistake in ${SANITIZE//,/ }; do
    expect_status 86 oshrun -n 2 "$scratch/p" "$mistake"
    expect grep -qE 'runtime error|AddressSanitizer|ThreadSanitizer' "$scratch/err"
  done
}
