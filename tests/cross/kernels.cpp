// Runs every copy kernel that this processor has on small sizes and odd alignments, between guard bytes.
// SPDX-License-Identifier: BSD-3-Clause
#include "copy/kernels.hpp"

#include <algorithm>
#include <cstdio>
#include <vector>

#include "arch/processor.hpp"

namespace {

constexpr size_t guard = 64;
constexpr unsigned char untouched = 0xA5;

bool copies(const atrium::CopyKernel& kernel, size_t bytes, size_t dest_offset, size_t source_offset) {
  std::vector<unsigned char> source(bytes + source_offset),
      memory(bytes + dest_offset + 2 * guard, untouched);
  for (size_t i = 0; i < source.size(); ++i)
    source[i] = static_cast<unsigned char>(i * 131 + (i >> 8) * 7 + 1);
  std::vector<unsigned char> expected = memory;
  std::copy(source.begin() + static_cast<ptrdiff_t>(source_offset), source.end(),
            expected.begin() + static_cast<ptrdiff_t>(guard + dest_offset));
  kernel.copy(memory.data() + guard + dest_offset, source.data() + source_offset, bytes);
  return memory == expected;
}

bool works(const atrium::CopyKernel& kernel) {
  for (size_t offset : {0, 1, 7, 16})
    for (size_t bytes = 0; bytes <= 600; ++bytes)
      if (!copies(kernel, bytes, offset, 17 - offset)) return false;
  return copies(kernel, 100000, 3, 5);
}

}  // namespace

int main() {
  bool good = true;
  for (const atrium::CopyKernel& kernel : atrium::copy_kernels()) {
    if (!kernel.runs_on(atrium::this_processor())) continue;
    const bool worked = works(kernel);
    std::printf("%s %s\n", kernel.name, worked ? "works" : "is wrong");
    good = good && worked;
  }
  return !good;
}
