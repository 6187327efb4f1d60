// A file that is there as a whole, or not at all: what was there before stays until the new one is complete.
// SPDX-License-Identifier: BSD-3-Clause
//
// It is written under another name beside it and renamed at the end; where that cannot be had (a device, a pipe, a folder that
// takes no files), at its place.
#pragma once

#include <sys/stat.h>

#include <cstdio>
#include <string>
#include <string_view>

namespace atrium::interpose {

class WholeFile {
 public:
  explicit WholeFile(const std::string& path);
  ~WholeFile() { close(); }
  WholeFile(const WholeFile&) = delete;
  WholeFile& operator=(const WholeFile&) = delete;

  void write(std::string_view text);
  // 0: all of it is in the file; else the first errno.
  int close();
  // What is to be said of a file that could not be written: what has become of it.
  const char* fate() const { return fate_; }

 private:
  void open(const struct stat* there);

  std::string path_, part_;  // empty: at its place
  std::FILE* file_ = nullptr;
  const char* fate_ = "what was there before stays";
  int errno_ = 0;
};

}  // namespace atrium::interpose
