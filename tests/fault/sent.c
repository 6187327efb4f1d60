/* PE 1 sends an address of its own to PE 0, which uses it as if it were one of its own. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

typedef void (*Action)(void);
static uintptr_t sent;
static volatile int counter = 5;

static void hello(void) { printf("hello from %d\n", shmem_my_pe()); }

static uintptr_t address_of(const char* what) {
  if (!strcmp(what, "code")) return (uintptr_t)hello;
  if (!strcmp(what, "block")) return (uintptr_t)calloc(1, 8);
  if (!strcmp(what, "heap")) return (uintptr_t)shmem_malloc(8);
  return (uintptr_t)&counter;
}

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  shmem_init();
  const uintptr_t mine = address_of(argv[1]);
  if (shmem_my_pe() == 1) shmem_putmem(&sent, &mine, sizeof mine, 0);
  shmem_barrier_all();
  if (shmem_my_pe() == 0) {
    printf("%s\n", sent == mine ? "the same" : "others");
    fflush(stdout);
    if (!strcmp(argv[1], "code"))
      ((Action)sent)();
    else if (strcmp(argv[1], "heap"))
      printf("%d\n", *(volatile int*)sent);
  }
  shmem_barrier_all();
  shmem_finalize();
  return 0;
}
