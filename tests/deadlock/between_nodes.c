/* Both PEs wait, and what would let them go is on its way: node 1 takes nothing from its sockets for some seconds, or, in
 * to_and_fro, the test cuts the line while they answer each other. By name.
 * SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { seconds = 6, megabytes = 4 };
static volatile time_t held_until;
static uint64_t come, answer;
static char target[megabytes << 20], source[megabytes << 20];

static int is_held(void) {
  if (time(NULL) >= held_until) return 0;
  usleep(1000);
  errno = EAGAIN;
  return 1;
}

/* Found by the network library before the C library's, because the program exports them. */
ssize_t recv(int socket, void* buffer, size_t bytes, int flags) {
  static ssize_t (*real)(int, void*, size_t, int);
  if (!real) *(void**)&real = dlsym(RTLD_NEXT, "recv");
  return is_held() ? -1 : real(socket, buffer, bytes, flags);
}
ssize_t recvmsg(int socket, struct msghdr* message, int flags) {
  static ssize_t (*real)(int, struct msghdr*, int);
  if (!real) *(void**)&real = dlsym(RTLD_NEXT, "recvmsg");
  return is_held() ? -1 : real(socket, message, flags);
}

static void go_to_and_fro(int me) {
  const time_t end = time(NULL) + seconds;
  if (me == 0) printf("ready\n"), fflush(stdout);
  for (uint64_t turn = 1, last = 0; !last; turn++) {
    if (me == 0) {
      last = time(NULL) >= end;
      shmem_uint64_p(&come, turn | last << 63, 1);
      shmem_uint64_wait_until(&answer, SHMEM_CMP_EQ, turn);
    } else {
      shmem_uint64_wait_until(&come, SHMEM_CMP_GE, turn);
      last = come >> 63;
      shmem_uint64_p(&answer, turn, 0);
    }
  }
  if (me == 0) printf("PE 0 has come to the end\n");
}

int main(int argc, char** argv) {
  const int transfer = argc > 1 && strcmp(argv[1], "transfer") == 0;
  shmem_init();
  const int me = shmem_my_pe();
  shmem_barrier_all();
  if (argc > 1 && strcmp(argv[1], "to_and_fro") == 0) {
    go_to_and_fro(me);
  } else if (me == 0) {
    sleep(1); /* until the other one takes nothing */
    shmem_putmem_signal_nbi(target, source, transfer ? sizeof source : 8, &come, 1, SHMEM_SIGNAL_SET, 1);
    shmem_uint64_wait_until(&answer, SHMEM_CMP_EQ, 1);
    printf("PE 0 has come to the end\n");
  } else {
    held_until = time(NULL) + seconds;
    shmem_signal_wait_until(&come, SHMEM_CMP_EQ, 1);
    shmem_uint64_p(&answer, 1, 0);
  }
  shmem_finalize();
}
