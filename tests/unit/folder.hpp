// A folder that stands for a part of /sys.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace atrium {

class Folder {
 public:
  Folder() {
    char name[] = "/tmp/atrium-topology-XXXXXX";
    path_ = mkdtemp(name);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  void write(const std::string& file, const std::string& text) const {
    const std::filesystem::path path = path_ + "/" + file;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text << "\n";
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace atrium
