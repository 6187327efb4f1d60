// A pipe, what a child says through it, and how the child ends.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <fcntl.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <utility>

namespace atrium {

// Both ends close on exec, and with it where they were not taken.
class Pipe {
 public:
  Pipe() = default;
  Pipe(Pipe&& other) noexcept : to_read_(other.take_to_read()), to_write_(other.take_to_write()) {}
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  Pipe& operator=(Pipe&&) = delete;
  ~Pipe() {
    close_to_read();
    close_to_write();
  }

  // False: errno says why not.
  bool open() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return false;
    to_read_ = ends[0], to_write_ = ends[1];
    return true;
  }
  // -1: closed, taken, or never opened.
  int to_read() const { return to_read_; }
  int to_write() const { return to_write_; }
  int take_to_read() { return std::exchange(to_read_, -1); }
  int take_to_write() { return std::exchange(to_write_, -1); }
  void close_to_read() { close(take_to_read()); }
  void close_to_write() { close(take_to_write()); }

 private:
  static void close(int end) {
    if (end >= 0) ::close(end);
  }

  int to_read_ = -1, to_write_ = -1;
};

// All that comes until the writer has closed the other end; of a file, the rest of it. Nothing large lies on the stack: threads with
// a small one wait, and look at files of /proc meanwhile. The kernel passes at most a page of those at once: memory for more would be
// touched in vain.
inline std::string read_to_end(int file) {
  constexpr size_t first_part = 4096;
  std::string text;
  size_t length = 0;
  while (true) {
    text.resize(length + (length < first_part ? first_part : length));
    const ssize_t bytes = ::read(file, &text[length], text.size() - length);
    if (bytes > 0) length += static_cast<size_t>(bytes);
    if (bytes == 0 || (bytes < 0 && errno != EINTR)) break;
  }
  text.resize(length);
  return text;
}

// What waitpid(2) says of a child that has ended or will, whatever signal its end sends; 1, a bad end, where there is none (-1).
inline int wait_for_end(pid_t child) {
  int status = 1;
  while (child > 0 && ::waitpid(child, &status, __WALL) < 0 && errno == EINTR) continue;
  return status;
}

}  // namespace atrium
