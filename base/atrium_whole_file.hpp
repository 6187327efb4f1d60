// A file that is there as a whole, or not at all: what was there before stays until the new one is complete.
// SPDX-License-Identifier: BSD-3-Clause
//
// It is written under another name beside it and renamed at the end; where that cannot be had (a device, a pipe, a folder that
// takes no files), at its place. It is as open to others as the one that it replaces, and a link stays one.
#pragma once

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace atrium {

class WholeFile {
 public:
  explicit WholeFile(const std::string& path) : path_(real_path(path)) {
    struct stat there {};
    const bool exists = ::stat(path_.c_str(), &there) == 0;
    struct stat link {};
    const bool leads_nowhere = !exists && ::lstat(path_.c_str(), &link) == 0;
    if (leads_nowhere || (exists && !S_ISREG(there.st_mode)))
      file_ = std::fopen(path_.c_str(), "we");
    else
      open(exists ? &there : nullptr);
    if (!file_)
      errno_ = errno;
    else
      fate_ = part_.empty() ? "what is there is not whole"
                            : "nothing of it is left, and what was there before stays";
  }
  ~WholeFile() { close(); }
  WholeFile(const WholeFile&) = delete;
  WholeFile& operator=(const WholeFile&) = delete;

  void write(std::string_view text) {
    if (!file_ || errno_ != 0) return;
    if (std::fwrite(text.data(), 1, text.size(), file_) != text.size()) errno_ = errno;
  }

  // 0: all of it is in the file; else the first errno.
  int close() {
    if (!file_) return errno_;
    if (std::fclose(file_) != 0 && errno_ == 0) errno_ = errno;
    file_ = nullptr;
    if (part_.empty()) return errno_;
    if (errno_ == 0 && ::rename(part_.c_str(), path_.c_str()) != 0) errno_ = errno;
    if (errno_ != 0) ::unlink(part_.c_str());
    return errno_;
  }

  // What is to be said of a file that could not be written: what has become of it.
  const char* fate() const { return fate_; }

 private:
  // The file that a link leads to, which is to be replaced, not the link.
  static std::string real_path(const std::string& path) {
    char* const found = ::realpath(path.c_str(), nullptr);
    const std::string real = found ? found : path;
    std::free(found);
    return real;
  }

  // The folder takes no other name; or else there may be no room, and what is there shall not be cut off for that.
  static bool may_write_in_place(int error) {
    return error == EACCES || error == EPERM || error == ENAMETOOLONG;
  }

  void open(const struct stat* there) {
    part_ = path_ + "." + std::to_string(::getpid()) + ".part";
    const int fd = ::open(part_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0) part_.clear();
    if (fd < 0 && !may_write_in_place(errno)) return;
    if (fd >= 0 && there && ::fchmod(fd, there->st_mode & 0777) != 0)
      errno = 0;  // it can be read and written, if not by all who could before
    file_ = fd >= 0 ? ::fdopen(fd, "w") : std::fopen(path_.c_str(), "we");
    if (file_ || fd < 0) return;
    const int error = errno;
    ::close(fd);
    ::unlink(part_.c_str());
    errno = error;
  }

  std::string path_, part_;  // empty: at its place
  std::FILE* file_ = nullptr;
  const char* fate_ = "what was there before stays";
  int errno_ = 0;
};

}  // namespace atrium
