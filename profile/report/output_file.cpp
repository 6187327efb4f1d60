// Finds out whether a file can be written by opening it: permissions do not show that a file system is read-only or full, or that a program runs from the file.
// SPDX-License-Identifier: BSD-3-Clause
#include "profile/report/output_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

namespace atrium::profile {
namespace {

int try_to_open(const std::string& path, int flags) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | flags, 0666);
  if (fd < 0) return errno;
  ::close(fd);
  return 0;
}

int try_to_create(const std::string& path) {
  const int error = try_to_open(path, O_CREAT | O_EXCL);
  if (error == 0) ::unlink(path.c_str());
  return error == EEXIST ? 0 : error;  // a link to a file that is not there yet
}

std::string beginning_of(const std::string& path) {
  char text[64];
  std::FILE* const file = std::fopen(path.c_str(), "re");
  const size_t length = file ? std::fread(text, 1, sizeof text, file) : 0;
  if (file) std::fclose(file);
  return {text, length};
}

}  // namespace

int hindrance_to_file(const std::string& path) {
  struct stat there {};
  if (::stat(path.c_str(), &there) != 0) return errno == ENOENT ? try_to_create(path) : errno;
  if (S_ISDIR(there.st_mode)) return EISDIR;
  // To open a pipe waits for its reader, and a terminal may become ours.
  if (!S_ISREG(there.st_mode)) return ::access(path.c_str(), W_OK) == 0 ? 0 : errno;
  return try_to_open(path, 0);
}

int hindrance_to_folder(const std::string& path) {
  struct stat there {};
  if (::stat(path.c_str(), &there) == 0)
    return !S_ISDIR(there.st_mode) ? ENOTDIR : ::access(path.c_str(), W_OK | X_OK) == 0 ? 0 : errno;
  if (::mkdir(path.c_str(), 0777) != 0) return errno;
  ::rmdir(path.c_str());
  return 0;
}

bool holds_other_than_trace(const std::string& path) {
  struct stat there {};
  if (::stat(path.c_str(), &there) != 0 || !S_ISREG(there.st_mode)) return false;
  const std::string text = beginning_of(path);
  if (text.starts_with(trace_beginning)) return false;  // a file system may call every file executable
  if ((there.st_mode & 0111) != 0) return true;
  const size_t first = text.find_first_not_of(" \t\r\n");
  return there.st_size != 0 && (first == std::string::npos || (text[first] != '{' && text[first] != '['));
}

}  // namespace atrium::profile
