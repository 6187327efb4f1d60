// Copies the section of per-PE variables in and out.
// SPDX-License-Identifier: BSD-3-Clause
#include "sim/variables.hpp"

#include <cstring>

#include "core/per_pe.hpp"

// The linker's, since the section's name could be one in C.
extern "C" std::byte __start_atrium_pe[], __stop_atrium_pe[];

namespace atrium::sim {
namespace {

Variables* in_place = nullptr;

}  // namespace

size_t Variables::bytes() { return static_cast<size_t>(__stop_atrium_pe - __start_atrium_pe); }

Variables::Variables() : kept_(std::make_unique<std::byte[]>(bytes())) {
  std::memcpy(kept_.get(), __start_atrium_pe, bytes());
}

void Variables::put_in_place() {
  if (in_place == this) return;
  if (in_place) std::memcpy(in_place->kept_.get(), __start_atrium_pe, bytes());
  std::memcpy(__start_atrium_pe, kept_.get(), bytes());
  in_place = this;
}

}  // namespace atrium::sim
