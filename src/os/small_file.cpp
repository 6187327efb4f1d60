// Short files of /proc and /sys. With system calls, not stdio, whose buffer would itself show in
// /proc/self/maps.
// SPDX-License-Identifier: BSD-3-Clause
#include "os/small_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include "atrium_pipe.hpp"

namespace atrium {

std::string read_small_file(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return {};
  std::string text = read_to_end(fd);
  ::close(fd);
  return text;
}

}  // namespace atrium
