// Loaded into an agent of oshrun (LD_PRELOAD), stops it before it has said or started anything.
// SPDX-License-Identifier: BSD-3-Clause
#include <signal.h>
#include <string.h>

__attribute__((constructor)) static void stop_agent(int argc, char** argv) {
  if (argc > 1 && strcmp(argv[1], "--be-agent") == 0) raise(SIGSTOP);
}
