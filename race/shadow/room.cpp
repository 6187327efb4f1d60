// Makes a nameless file. The process that has made it keeps its descriptor open until the others have opened it by /proc.
// SPDX-License-Identifier: BSD-3-Clause
#include "race/shadow/room.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "atrium_nameless_memory.hpp"
#include "atrium_system.hpp"
#include "interpose/say.hpp"
#include "race/shadow/missing_pages.hpp"

namespace atrium::race {

int make_room(size_t bytes) {
  const int fd = make_nameless_memory("atrium-race");
  if (fd >= 0 && set_file_size(fd, bytes) != 0) return close(fd), -1;
  return fd;
}

char* map_room(int fd, size_t bytes) {
  void* base = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
  if (base == MAP_FAILED) return nullptr;
  madvise(base, bytes, MADV_DONTDUMP);
  watch_pages(fd, base, bytes);
  return static_cast<char*>(base);
}

void unmap_room(char* base, size_t bytes) {
  forget_pages(base);
  munmap(base, bytes);
}

char* open_room(const SharedFile& file, size_t bytes) {
  const std::string path = proc_folder(file.pid) + "/fd/" + std::to_string(file.fd);
  const int fd = open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (fd < 0) return nullptr;
  char* const base = map_room(fd, bytes);
  close(fd);
  return base;
}

bool say_no_room(const std::string& what, const char* remedy) {
  interpose::say("cannot be made: " + what + ": " + std::strerror(errno) + "; try " + remedy);
  return false;
}

}  // namespace atrium::race
