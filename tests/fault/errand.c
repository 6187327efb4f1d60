/* A job that needs what the system gives: memory, sleeping waits, threads, a child, input and output. Each PE's last
 * words are "PE i of n is done", when everything was right.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <pthread.h>
#include <shmem.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static long word, sum, one = 1, ticket, count;
static char bytes[1 << 16];

static int failed(const char* what) {
  fprintf(stderr, "errand: %s went wrong\n", what);
  return 9;
}

static void* add(void* context) {
  shmem_ctx_long_atomic_add(*(shmem_ctx_t*)context, &count, 1, 0);
  return NULL;
}

static int use_a_thread(void) {
  pthread_t thread;
  shmem_ctx_t context;
  if (shmem_ctx_create(SHMEM_CTX_SERIALIZED, &context) != 0) return 1;
  if (pthread_create(&thread, NULL, add, &context) != 0) return 1;
  pthread_join(thread, NULL);
  shmem_ctx_destroy(context);
  shmem_barrier_all();
  return shmem_my_pe() == 0 && count != shmem_n_pes();
}

static int have_a_child(void) {
  int status = -1;
  const pid_t child = fork();
  if (child == 0) _exit(5);
  return child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 5;
}

int main(void) {
  int provided;
  if (shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided) != 0) return failed("the start");
  const int me = shmem_my_pe(), n = shmem_n_pes(), next = (me + 1) % n;
  char* block = shmem_malloc(1 << 22);
  if (!block) return failed("an allocation");
  if (me == 0) usleep(30000); /* the others wait for so long that they sleep */
  shmem_long_p(&word, me + 1, next);
  shmem_long_wait_until(&word, SHMEM_CMP_NE, 0);
  memset(bytes, me + 1, sizeof bytes);
  shmem_putmem(block, bytes, sizeof bytes, next);
  shmem_barrier_all();
  if (block[17] != (me + n - 1) % n + 1) return failed("a put");
  if (shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &sum, &one, 1) != 0 || sum != n) return failed("a reduction");
  shmem_set_lock(&ticket);
  shmem_clear_lock(&ticket);
  if (use_a_thread()) return failed("a thread");
  if (have_a_child()) return failed("a child");
  block = shmem_realloc(block, 1 << 23);
  if (!block) return failed("a second allocation");
  shmem_free(block);
  char line[64] = "";
  if (me == 0 && (!fgets(line, sizeof line, stdin) || strcmp(line, "a line of input\n") != 0))
    return failed("the input");
  shmem_finalize();
  printf("PE %d of %d is done\n", me, n);
  return 0;
}
