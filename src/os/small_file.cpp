// Plain reads: stdio would allocate a buffer for each of a thousand files.
// SPDX-License-Identifier: BSD-3-Clause
#include "os/small_file.hpp"

#include <fcntl.h>
#include <unistd.h>

namespace atrium {

std::string read_small_file(const std::string& path) {
  std::string text;
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return text;
  char chunk[4096];
  for (ssize_t n; (n = read(fd, chunk, sizeof chunk)) > 0;) text.append(chunk, static_cast<size_t>(n));
  close(fd);
  return text;
}

}  // namespace atrium
