/* Keeps a process from running for so many seconds, as one that has no CPU or waits for a disk: `hold PID SECONDS`. It is not
 * stopped: no signal is sent, and who looks at it finds a process that is traced. Exit status 77: that is not allowed here.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <sys/ptrace.h>
#include <unistd.h>

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const pid_t pid = atoi(argv[1]);
  if (ptrace(PTRACE_SEIZE, pid, NULL, NULL) != 0 || ptrace(PTRACE_INTERRUPT, pid, NULL, NULL) != 0) return 77;
  sleep((unsigned)atoi(argv[2]));
  return 0; /* and the kernel lets it go */
}
