// An array with a number for each rank, as a caller has it: of int, or of the 64-bit integers of MPI 4's large counts.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstdint>
#include <cstring>

namespace atrium::mpi {

class PerRank {
 public:
  PerRank() = default;
  PerRank(const int* from) : from_(from) {}
  template <class Wide>  // MPI_Count or MPI_Aint
  PerRank(const Wide* from) : from_(from), is_wide_(true) {
    static_assert(sizeof(Wide) == sizeof(std::int64_t), "one reading for both");
  }

  explicit operator bool() const { return from_ != nullptr; }
  bool operator==(const PerRank& other) const { return from_ == other.from_; }  // the same array
  bool is_wide() const { return is_wide_; }

  std::int64_t operator[](int rank) const {
    if (!is_wide_) return static_cast<const int*>(from_)[rank];
    std::int64_t number;
    std::memcpy(&number, static_cast<const char*>(from_) + sizeof number * static_cast<std::size_t>(rank),
                sizeof number);
    return number;
  }
  // The array itself, of the caller's type.
  template <class T>
  const T* as() const {
    return static_cast<const T*>(from_);
  }

 private:
  const void* from_ = nullptr;
  bool is_wide_ = false;
};

}  // namespace atrium::mpi
