// The plan of this process: the one that was asked for, or the one that was measured on such a processor.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "arch/processor.hpp"
#include "atrium_words.hpp"
#include "copy/copy.hpp"
#include "core/log.hpp"
#include "core/settings.hpp"
#include "shmem/blocks.h"

extern "C" {
__attribute__((visibility("default"))) atrium_copies atrium_copies_1 = {};
}

namespace atrium {

namespace detail {
constinit CopyPlan copy_plan;

// A number of elements that is negative, or times their size cannot be counted. The C library's memcpy, which may expect no such
// size, would move some bytes at the wrong end of it, and return.
[[noreturn, gnu::cold]] static void refuse_size(size_t bytes) {
  fatal(Error{counted(bytes, "byte") + " are to be copied, which no memory holds",
              "the number of elements is negative, or too large to be counted in bytes",
              {},
              "oshrun --check, which says where"});
}

void copy_large(const CopyBands& bands, void* dest, const void* source, size_t bytes) {
  if (bytes >= CopyBands::beyond_memory) refuse_size(bytes);
  int band = bands.count - 1;
  while (bytes < bands.bands[band].from) --band;
  bands.bands[band].kernel->copy(dest, source, bytes);
}
}  // namespace detail

namespace {

struct Threshold {
  std::string_view vendor;
  unsigned family, first_model, last_model;
  const char *name, *rule;
};

constexpr Threshold thresholds[] = {
#include "copy/thresholds.table"
};

bool fits(const Threshold& row, const Processor& processor) {
  return (row.vendor == "amd" ? processor.amd : processor.intel) && row.family == processor.family &&
         row.first_model <= processor.model && processor.model <= row.last_model;
}

}  // namespace

MeasuredPlan measured_copy_plan(const Processor& processor) {
  for (const Threshold& row : thresholds)
    if (fits(row, processor)) return {row.name, row.rule};
  return {"", ""};
}

const CopyPlan& chosen_copy_plan() { return detail::copy_plan; }

namespace {

Result<CopyPlan> choose_copy_plan() {
  const Processor processor = this_processor();
  const std::string asked = setting("ATRIUM_COPY");
  if (asked != "auto" && !asked.empty()) return parse_copy_plan(asked, processor);
  // Fails for a processor that was not measured, and in a virtual machine that hides instructions of the processor.
  auto plan = parse_copy_plan(measured_copy_plan(processor).rule, processor);
  return plan ? *plan : CopyPlan{};
}

}  // namespace

Result<void> select_copy() {
  auto plan = choose_copy_plan();
  if (!plan) return plan.error();
  detail::copy_plan = *plan;
  const size_t put_in_place = std::max<size_t>(plan->put.begin(), ATRIUM_WORD_BYTES + 1) - 1;
  atrium_copies_1 = {put_in_place - ATRIUM_WORD_BYTES, std::max<size_t>(plan->get.begin(), 1) - 1};
  return {};
}

}  // namespace atrium
