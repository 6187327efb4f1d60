/* Closes the descriptors of the job, and opens a file under each of their numbers, as a daemon would that closes all that it does
 * not know.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * usage: closing FILE end | far    far: puts to a PE that it has not named yet. end: frees a block, forks, and ends. Prints
 * "untouched" if the file, of which each PE has its own, is as it was written. */
#include <fcntl.h>
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { bytes = 64 << 20, piece = 1 << 20 };
static char text[piece];
static long word;

static int number_in(const char* variable) {
  const char* const number = getenv(variable);
  return number ? atoi(number) : -1;
}

static void take_place(int descriptor, const char* path) {
  const int file = open(path, O_RDWR | O_CREAT, 0600);
  if (descriptor >= 0) dup2(file, descriptor);
  close(file);
}

static int is_untouched(const char* path) {
  const int file = open(path, O_RDONLY);
  int good = 1;
  for (int at = 0; at < bytes; at += piece) {
    good &= read(file, text, piece) == piece;
    for (int i = 0; i < piece; ++i) good &= text[i] == 'x';
  }
  good &= read(file, text, 1) == 0;
  close(file);
  return good;
}

int main(int argc, char** argv) {
  const int memory = number_in("ATRIUM_JOB_FD"), bell = number_in("ATRIUM_JOB_BELL");
  if (argc != 3) return 2;
  shmem_init();
  const int is_far = !strcmp(argv[2], "far");
  char path[4096];
  snprintf(path, sizeof path, "%s.%d", argv[1], shmem_my_pe());
  const int file = open(path, O_RDWR | O_CREAT, 0600);
  memset(text, 'x', sizeof text);
  for (int at = 0; !is_far && at < bytes; at += piece)
    if (write(file, text, piece) != piece) return 3;
  void* const block = shmem_malloc(40 << 20);
  take_place(memory, path);
  take_place(bell, path);
  if (is_far) shmem_long_p(&word, 1, (shmem_my_pe() + shmem_n_pes() / 2) % shmem_n_pes());
  shmem_free(block);
  const pid_t child = fork();
  if (child == 0) _exit(0);
  waitpid(child, NULL, 0);
  shmem_finalize();
  if (lseek(memory, 0, SEEK_CUR) == 0 && is_untouched(path)) puts("untouched");
  return 0;
}
