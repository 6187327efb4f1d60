// The experience of this process, by shape of communicators; and as a file, for later runs.
// SPDX-License-Identifier: BSD-3-Clause
//
// Thread safety: all of it may be called by several threads.
#pragma once

#include <map>
#include <mutex>
#include <string>

#include "choice/experience.hpp"

namespace atrium::mpi {

class ExperienceBook {
 public:
  void note(const std::string& shape, const Experience& experience);
  Experience of(const std::string& shape) const;

  // What a file holds becomes what is known, except where more has been learned here. A missing file and lines that make no
  // sense are passed over.
  void read(const std::string& path);
  // The whole file, what others have put into it meanwhile included; false if it cannot be written. No reader ever sees a
  // part of it.
  bool write(const std::string& path) const;

 private:
  mutable std::mutex lock_;
  std::map<std::string, Experience> by_shape_;
};

// Of this process.
ExperienceBook& experience_book();

}  // namespace atrium::mpi
