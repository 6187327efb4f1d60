// The affinity mask, however large the machine, and the cgroup quota.
// SPDX-License-Identifier: BSD-3-Clause
#include "topology/cpus.hpp"

#include <sched.h>

#include <algorithm>
#include <cerrno>

#include "core/number_list.hpp"
#include "os/small_file.hpp"
#include "topology/quota.hpp"

namespace atrium {
namespace {

using MaskWords = std::vector<unsigned long>;
constexpr int word_bits = 8 * sizeof(unsigned long);

// The kernel refuses a mask smaller than its own with EINVAL and does not say how large that is.
MaskWords read_mask() {
  for (size_t words = 16; words <= 65536; words *= 2) {
    MaskWords mask(words);
    if (sched_getaffinity(0, words * sizeof(mask[0]), reinterpret_cast<cpu_set_t*>(mask.data())) == 0)
      return mask;
    if (errno != EINVAL) break;
  }
  return {1};
}

}  // namespace

std::vector<int> allowed_cpus() {
  std::vector<int> cpus;
  const MaskWords mask = read_mask();
  for (size_t word = 0; word < mask.size(); ++word)
    for (int bit = 0; bit < word_bits; ++bit)
      if (mask[word] >> bit & 1) cpus.push_back(static_cast<int>(word) * word_bits + bit);
  return cpus;
}

std::vector<int> online_cpus() {
  return parse_number_list(read_small_file("/sys/devices/system/cpu/online")).value_or(allowed_cpus());
}

int limit_to_quota(int cpus, double quota) {
  return quota == no_quota ? cpus : std::clamp(static_cast<int>(quota), 1, cpus);
}

int usable_cpus() { return limit_to_quota(static_cast<int>(allowed_cpus().size()), cgroup_quota()); }

}  // namespace atrium
