/* A thread with a stack of as many KiB as the argument says, or the least that there is (128 on AArch64), waits for a word, and in a
 * collective, so long that Atrium looks why. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <pthread.h>
#include <shmem.h>
#include <stdlib.h>
#include <unistd.h>

static long word;

static void* wait_long(void* unused) {
  shmem_long_wait_until(&word, SHMEM_CMP_NE, 0);
  shmem_sync_all();
  return unused;
}

int main(int argc, char** argv) {
  int provided;
  pthread_attr_t attributes;
  pthread_t thread;
  if (argc != 2 || shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided) != 0) return 1;
  if (shmem_my_pe() == 0) {
    const long asked = atol(argv[1]) << 10, least = sysconf(_SC_THREAD_STACK_MIN);
    pthread_attr_init(&attributes);
    if (pthread_attr_setstacksize(&attributes, (size_t)(asked > least ? asked : least)) != 0) return 2;
    if (pthread_create(&thread, &attributes, wait_long, NULL) != 0) return 3;
    pthread_join(thread, NULL);
  } else {
    sleep(3);
    shmem_long_p(&word, 1, 0);
    sleep(3);
    shmem_sync_all();
  }
  shmem_finalize();
  return 0;
}
