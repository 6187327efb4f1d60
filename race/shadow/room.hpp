// Nameless memory that one process makes and others of the node open.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <string>

namespace atrium::race {

// As others open it, through /proc; no descriptor (-1): that process has none.
struct SharedFile {
  pid_t pid;
  int fd;
};

// Zeros that take no memory until they are touched. Each answers -1 or null where there is no room, with errno.
int make_room(size_t bytes);
char* map_room(int fd, size_t bytes);
char* open_room(const SharedFile& file, size_t bytes);
void unmap_room(char* base, size_t bytes);

// Says that the check cannot be made, and errno. False.
bool say_no_room(const std::string& what, const char* remedy);

}  // namespace atrium::race
