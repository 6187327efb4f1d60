// The matrix of a report: how many bytes each PE has moved to and from each other.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "profile/report/model.hpp"

namespace atrium::profile {

// Where PEs are many, neighbours share a row and a column.
class Matrix {
 public:
  explicit Matrix(const Profile& profile);
  // Empty: no PE sent anything.
  std::string html() const;

 private:
  uint64_t& at(size_t from, size_t to) { return bytes_[from * cells_ + to]; }
  std::string name(size_t cell) const;
  std::string cell(size_t from, size_t to) const;

  size_t pes_, fold_, cells_ = 0;
  std::vector<uint64_t> bytes_;
  uint64_t most_ = 0;
};

}  // namespace atrium::profile
