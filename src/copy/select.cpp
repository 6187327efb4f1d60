// Which kernel copies large blocks: the first in the list that has been measured to win here, or the one that
// was asked for. SPDX-License-Identifier: BSD-3-Clause
#include "copy/copy.hpp"
#include "core/settings.hpp"

namespace atrium {

namespace detail {
void (*large_copy)(void*, const void*, size_t) = nullptr;
size_t large_copy_from = never;
}  // namespace detail

namespace {

// A forced kernel also serves sizes at which it may lose, but not so small ones that only its overhead would
// be seen.
constexpr size_t forced_from = 4096;

CopyChoice choice{};

const CopyKernel* find_kernel(std::string_view name) {
  for (const CopyKernel& kernel : copy_kernels())
    if (name == kernel.name) return &kernel;
  return nullptr;
}

std::string names_that_run_on(const Processor& processor) {
  std::string names = "auto";
  for (const CopyKernel& kernel : copy_kernels())
    if (kernel.runs_on(processor)) names += std::string(", ") + kernel.name;
  return names;
}

Error cannot_force(const std::string& name, const Processor& processor) {
  return Error{"ATRIUM_COPY=" + name + " cannot be had",
               find_kernel(name) ? "this processor lacks the instructions" : "no copy kernel has that name",
               "choosing how large blocks are copied", "one of: " + names_that_run_on(processor)};
}

}  // namespace

CopyChoice choose_copy_kernel(const Processor& processor) {
  for (const CopyKernel& kernel : copy_kernels())
    if (kernel.runs_on(processor) && kernel.wins_from(processor) != never)
      return {&kernel, kernel.wins_from(processor)};
  return {&copy_kernels().back(), never};
}

CopyChoice chosen_copy_kernel() { return choice.kernel ? choice : CopyChoice{&copy_kernels().back(), never}; }

Result<void> select_copy() {
  const Processor processor = this_processor();
  const std::string name = setting("ATRIUM_COPY");
  if (name == "auto" || name.empty()) {
    choice = choose_copy_kernel(processor);
  } else {
    const CopyKernel* kernel = find_kernel(name);
    if (!kernel || !kernel->runs_on(processor)) return cannot_force(name, processor);
    choice = {kernel, forced_from};
  }
  detail::large_copy = choice.kernel->copy;
  detail::large_copy_from = choice.from;
  return {};
}

}  // namespace atrium
