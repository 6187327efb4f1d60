// Writes a file under a temporary name and renames it when it is complete.
// SPDX-License-Identifier: BSD-3-Clause
#include "interpose/whole_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

namespace atrium::interpose {
namespace {

// The file that a link leads to, which is to be replaced, not the link.
std::string real_path(const std::string& path) {
  char* const found = ::realpath(path.c_str(), nullptr);
  const std::string real = found ? found : path;
  std::free(found);
  return real;
}

// The folder takes no other name; or else there may be no room, and what is there shall not be cut off for that.
bool may_write_in_place(int error) { return error == EACCES || error == EPERM || error == ENAMETOOLONG; }

}  // namespace

WholeFile::WholeFile(const std::string& path) : path_(real_path(path)) {
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

// As open as the file that it replaces.
void WholeFile::open(const struct stat* there) {
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

void WholeFile::write(std::string_view text) {
  if (!file_ || errno_ != 0) return;
  if (std::fwrite(text.data(), 1, text.size(), file_) != text.size()) errno_ = errno;
}

int WholeFile::close() {
  if (!file_) return errno_;
  if (std::fclose(file_) != 0 && errno_ == 0) errno_ = errno;
  file_ = nullptr;
  if (part_.empty()) return errno_;
  if (errno_ == 0 && ::rename(part_.c_str(), path_.c_str()) != 0) errno_ = errno;
  if (errno_ != 0) ::unlink(part_.c_str());
  return errno_;
}

}  // namespace atrium::interpose
