// Memory for what the MPI packs: it grows, and stays until the communicator goes.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

namespace atrium::mpi {

class Scratch {
 public:
  Scratch() = default;
  ~Scratch() { release(); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  // So many bytes, whose contents are lost at the next call; null where there is no memory. `is_exported`: others can map it.
  std::byte* room(std::size_t bytes, bool is_exported);

 private:
  void release();

  std::byte* memory_ = nullptr;
  std::size_t bytes_ = 0;
  bool is_exported_ = false;
};

}  // namespace atrium::mpi
