// What a child says through a pipe, and how it ends.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <string>

namespace atrium {

// All that comes until the writer has closed the other end; of a file, the rest of it.
inline std::string read_to_end(int file) {
  std::string text;
  char part[16384];
  for (ssize_t bytes; (bytes = ::read(file, part, sizeof part)) != 0;) {
    if (bytes < 0 && errno != EINTR) break;
    if (bytes > 0) text.append(part, static_cast<size_t>(bytes));
  }
  return text;
}

// What waitpid(2) says of a child that has ended or will; 1, a bad end, where there is none (-1).
inline int wait_for_end(pid_t child) {
  int status = 1;
  while (child > 0 && ::waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  return status;
}

}  // namespace atrium
