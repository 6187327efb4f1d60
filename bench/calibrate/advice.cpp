// Chooses the fastest copy kernel for each size from measured times, and writes the choice as ATRIUM_COPY reads it.
// SPDX-License-Identifier: BSD-3-Clause
#include "advice.hpp"

#include <algorithm>
#include <cmath>

#include "core/settings.hpp"

namespace atrium {
namespace {

constexpr double wins = 1.05;
constexpr double loses = 0.94;  // rounds of one and the same kernel differ by up to 5 %

std::vector<double> gains_of(const Sample& sample) {
  std::vector<double> gains;
  for (const CopyTimes& times : sample.times) gains.push_back(gain_over_libc(times, sample.times.back()));
  return gains;
}

// The kernel for a size, given the one for the size below.
size_t choose(const std::vector<double>& gains, size_t before) {
  const size_t libc = gains.size() - 1;
  const auto best = static_cast<size_t>(std::max_element(gains.begin(), gains.end()) - gains.begin());
  if (gains[best] >= wins * std::max(gains[before], 1.0)) return best;
  return gains[before] >= loses ? before : libc;
}

}  // namespace

double gain_over_libc(const CopyTimes& kernel, const CopyTimes& libc) {
  const double gains[] = {libc.fresh / kernel.fresh, libc.with_reading / kernel.with_reading,
                          libc.again / kernel.again};
  if (*std::min_element(std::begin(gains), std::end(gains)) < loses) return 0;
  return std::cbrt(gains[0] * gains[1] * gains[2]);
}

std::string advise(const std::vector<const CopyKernel*>& kernels, const std::vector<Sample>& samples) {
  std::string rule;
  size_t before = kernels.size() - 1;
  for (const Sample& sample : samples) {
    const size_t now = choose(gains_of(sample), before);
    if (now != before)
      rule += (rule.empty() ? "" : ",") + format_size(sample.bytes) + "=" + kernels[now]->name;
    before = now;
  }
  return rule;
}

}  // namespace atrium
