// By their names, which libatrium_fortran.a alone uses. They lie side by side, so that a few ranges hold them all.
// SPDX-License-Identifier: BSD-3-Clause
#include "interpose/wrappers.hpp"

#include <link.h>

#include <algorithm>
#include <vector>

#include "src/os/fortran_names.hpp"
#include "src/os/symbol_table.hpp"

namespace atrium::interpose {
namespace {

struct Range {
  uintptr_t begin, end;
};

constexpr size_t most = 64;
constexpr uintptr_t most_padding = 64;  // between two functions of one file
Range ranges[most];
size_t count = 0;

uintptr_t base_of_program() {
  uintptr_t base = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* found) {
        *static_cast<uintptr_t*>(found) = info->dlpi_addr;
        return 1;  // the first one is the program
      },
      &base);
  return base;
}

}  // namespace

void learn_wrappers() {
  const uintptr_t base = base_of_program();
  std::vector<Range> found;
  for (const Symbol& function : functions_in("/proc/self/exe"))
    if (is_name_of_wrapper(function.name))
      found.push_back({base + function.address, base + function.address + function.bytes});
  std::sort(found.begin(), found.end(), [](const Range& a, const Range& b) { return a.begin < b.begin; });
  for (const Range& range : found) {
    if (count > 0 && range.begin - ranges[count - 1].end <= most_padding)
      ranges[count - 1].end = std::max(ranges[count - 1].end, range.end);
    else if (count < most)
      ranges[count++] = range;
  }
}

bool is_wrapper(uintptr_t address) {
  for (size_t i = 0; i < count; ++i)
    if (address - ranges[i].begin < ranges[i].end - ranges[i].begin) return true;
  return false;
}

}  // namespace atrium::interpose
