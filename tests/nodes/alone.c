// A job on one node loads no network library, makes no thread and opens no socket; with an argument: one on
// several nodes does.
// SPDX-License-Identifier: BSD-3-Clause
#include <dirent.h>
#include <shmem.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static int threads(void) {
  DIR* tasks = opendir("/proc/self/task");
  int count = 0;
  for (struct dirent* entry; (entry = readdir(tasks));) count += entry->d_name[0] != '.';
  closedir(tasks);
  return count;
}

static int has_library(void) {
  FILE* maps = fopen("/proc/self/maps", "r");
  char line[4096];
  int found = 0;
  while (fgets(line, sizeof line, maps)) found = found || strstr(line, "libfabric");
  fclose(maps);
  return found;
}

// Beside those that were there before.
static int sockets(void) {
  int count = 0;
  for (int fd = 0; fd < 1024; ++fd) {
    struct stat about;
    count += fstat(fd, &about) == 0 && S_ISSOCK(about.st_mode);
  }
  return count;
}

static long word;

int main(int argc, char** argv) {
  (void)argv;
  const int expects_network = argc > 1;
  const int threads_before = threads(), sockets_before = sockets();
  shmem_init();
  shmem_long_p(&word, 1, (shmem_my_pe() + 1) % shmem_n_pes());
  shmem_long_wait_until(&word, SHMEM_CMP_EQ, 1);
  const int more_threads = threads() - threads_before, more_sockets = sockets() - sockets_before;
  printf("threads %d, sockets %d, libfabric %d\n", more_threads, more_sockets, has_library());
  const int quiet = more_threads == 0 && more_sockets == 0 && !has_library();
  shmem_finalize();
  return quiet == expects_network;
}
