// The library's variables of each PE (core/per_pe.hpp): one PE's are in place at a time.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <memory>

namespace atrium::sim {

// Lives as long as the process.
class Variables {
 public:
  // As they are now: those of no PE, before the first one has been made.
  Variables();
  Variables(const Variables&) = delete;
  Variables& operator=(const Variables&) = delete;

  // From now on the library works on these; what it worked on before is put back.
  void put_in_place();
  static size_t bytes();

 private:
  std::unique_ptr<std::byte[]> kept_;
};

}  // namespace atrium::sim
