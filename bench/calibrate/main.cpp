// Measures each copy kernel at each size, towards a peer and from a peer, and prints the row for
// src/copy/thresholds.table.
// SPDX-License-Identifier: BSD-3-Clause
//
//     build/bin/oshrun -n 2 build/bench/calibrate [--quick] [FROM [TO]]
#include <algorithm>
#include <cstdio>
#include <cstring>

#include "advice.hpp"
#include "arch/processor.hpp"
#include "copy/plan.hpp"
#include "core/settings.hpp"
#include "pshmem.h"

namespace atrium {
namespace {

struct CalibrationOptions {
  size_t from = size_t{4} << 10, to = size_t{64} << 20;
  size_t bytes_a_kernel = size_t{96} << 20;  // moved at each size, which decides the number of rounds
};

std::vector<const CopyKernel*> kernels_here() {
  std::vector<const CopyKernel*> kernels;
  for (const CopyKernel& kernel : copy_kernels())
    if (kernel.runs_on(this_processor())) kernels.push_back(&kernel);
  return kernels;
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

CopyTimes medians(const std::vector<CopyTimes>& rounds) {
  std::vector<double> fresh, with_reading, again;
  for (const CopyTimes& times : rounds) {
    fresh.push_back(times.fresh);
    with_reading.push_back(times.with_reading);
    again.push_back(times.again);
  }
  return {median(fresh), median(with_reading), median(again)};
}

// The kernels take turns, so that drift hits all alike.
Sample measure_size(CopyRounds& timed, const std::vector<const CopyKernel*>& kernels, Direction direction,
                    size_t bytes, const CalibrationOptions& options) {
  const size_t rounds = std::clamp<size_t>(options.bytes_a_kernel / bytes, 7, 61);
  std::vector<std::vector<CopyTimes>> times(kernels.size());
  for (size_t round = 0; round < rounds; ++round)
    for (size_t i = 0; i < kernels.size(); ++i)
      times[i].push_back(timed.measure(*kernels[i], direction, bytes));
  Sample sample{bytes, {}};
  for (const auto& kernel : times) sample.times.push_back(medians(kernel));
  return sample;
}

void print_heading(const char* direction, const std::vector<const CopyKernel*>& kernels) {
  std::printf(
      "\n%s, GB/s: a copy of fresh buffers / with its owner's reading of the destination / copied again\n\n",
      direction);
  std::printf("| size |");
  for (const CopyKernel* kernel : kernels) std::printf(" %s |", kernel->name);
  std::printf("\n|");
  for (size_t i = 0; i <= kernels.size(); ++i) std::printf(" --- |");
  std::printf("\n");
}

void print_sample(const Sample& sample) {
  const auto bytes = static_cast<double>(sample.bytes);
  std::printf("| %s |", format_size(sample.bytes).c_str());
  for (const CopyTimes& times : sample.times)
    std::printf(" %.3g / %.3g / %.3g |", bytes / times.fresh, bytes / times.with_reading,
                bytes / times.again);
  std::printf("\n");
  std::fflush(stdout);
}

std::string measure_direction(CopyRounds& timed, Direction direction, const char* name,
                              const CalibrationOptions& options) {
  const auto kernels = kernels_here();
  const bool speaks = pshmem_my_pe() == 0;
  std::vector<Sample> samples;
  if (speaks) print_heading(name, kernels);
  for (size_t bytes = options.from; bytes <= options.to; bytes *= 2) {
    samples.push_back(measure_size(timed, kernels, direction, bytes, options));
    if (speaks) print_sample(samples.back());
  }
  const std::string rule = advise(kernels, samples);
  return rule.empty() ? rule : std::string(name) + ":" + rule;
}

void print_row(const std::string& put, const std::string& get) {
  const Processor processor = this_processor();
  const std::string rule = put + (put.empty() || get.empty() ? "" : ";") + get;
  std::printf("\n{\"%s\", %u, %u, %u, \"its name\", \"%s\"},\n",
              processor.amd     ? "amd"
              : processor.intel ? "intel"
                                : "?",
              processor.family, processor.model, processor.model, rule.c_str());
  std::printf(
      "A kernel is in the row from the size at which it beats libc by 5 %% (the three figures' mean) and\n"
      "loses none of them by 6 %%. Try it: ATRIUM_COPY='%s'\n",
      rule.c_str());
}

CalibrationOptions options_of(int count, char** words) {
  CalibrationOptions options;
  int next = 1;
  if (next < count && std::strcmp(words[next], "--quick") == 0) {
    options = {size_t{4} << 10, size_t{16} << 10, 1};
    ++next;
  }
  if (next < count) options.from = parse_size(words[next++]).value_or(options.from);
  if (next < count) options.to = parse_size(words[next]).value_or(options.to);
  return options;
}

int run(int count, char** words) {
  pshmem_init();
  if (pshmem_n_pes() != 2) {
    if (pshmem_my_pe() == 0) std::fprintf(stderr, "usage: oshrun -n 2 calibrate [--quick] [FROM [TO]]\n");
    pshmem_finalize();
    return 2;
  }
  const CalibrationOptions options = options_of(count, words);
  CopyRounds timed(options.to);
  const std::string put = measure_direction(timed, Direction::put, "put", options);
  const std::string get = measure_direction(timed, Direction::get, "get", options);
  if (pshmem_my_pe() == 0) print_row(put, get);
  pshmem_finalize();
  return 0;
}

}  // namespace
}  // namespace atrium

int main(int count, char** words) { return atrium::run(count, words); }
