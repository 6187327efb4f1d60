// A descriptor, and the file that it led to. A program may close descriptors that it does not know, and open a file of its own
// under the same number. Atrium must not write into that file.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/stat.h>

#include <string>

#include "core/result.hpp"

namespace atrium {

class KnownFile {
 public:
  explicit KnownFile(int descriptor) : descriptor_(descriptor), is_known_(::fstat(descriptor, &file_) == 0) {}

  int descriptor() const { return descriptor_; }
  // Whether it still leads there.
  bool is_there() const {
    struct stat now {};
    return is_known_ && ::fstat(descriptor_, &now) == 0 && now.st_dev == file_.st_dev &&
           now.st_ino == file_.st_ino;
  }
  // What cannot be done, since it does not.
  Error lost(const char* what) const {
    return Error{what,
                 "the program has closed descriptor " + std::to_string(descriptor_) + ", which is Atrium's",
                 {},
                 "leaving descriptors alone that the program has not opened"};
  }

 private:
  int descriptor_;
  struct stat file_ {};
  bool is_known_;
};

}  // namespace atrium
