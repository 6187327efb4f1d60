// Parses and prints copy plans such as "put:512K=rep_movsb".
// SPDX-License-Identifier: BSD-3-Clause
#include "copy/plan.hpp"

#include <algorithm>
#include <optional>

#include "core/settings.hpp"

namespace atrium {
namespace {

// A kernel that was forced also serves sizes at which it may lose, but not so small ones that only its
// overhead would be seen.
constexpr size_t forced_from = 4096;

using Problem = std::optional<std::string>;

// Cuts what is in front of the next `mark` off `text`.
std::string_view cut(std::string_view& text, char mark) {
  const size_t end = text.find(mark);
  const std::string_view part = text.substr(0, end);
  text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
  return part;
}

Problem find_runnable(std::string_view name, const Processor& processor, const CopyKernel*& kernel) {
  kernel = find_copy_kernel(name);
  if (!kernel) return "no copy kernel is called '" + std::string(name) + "'";
  if (!kernel->runs_on(processor)) return "this processor lacks the instructions of " + std::string(name);
  return {};
}

Problem append(CopyBands& bands, size_t from, const CopyKernel* kernel) {
  if (bands.count == CopyBands::most) return "there are more than " + std::to_string(bands.most) + " sizes";
  if (bands.count > 0 && from <= bands.bands[bands.count - 1].from) return "the sizes do not grow";
  if (bands.count == 0) bands.first = std::max(from, copied_inline + 1);
  bands.bands[bands.count++] = {from, kernel};
  return {};
}

// "512K=rep_movsb"
Problem read_band(std::string_view text, const Processor& processor, CopyBands& bands) {
  const std::string_view size = cut(text, '=');
  const auto from = parse_size(size);
  if (!from) return "'" + std::string(size) + "' is no size";
  const CopyKernel* kernel;
  if (auto problem = find_runnable(text, processor, kernel)) return problem;
  return append(bands, *from, kernel);
}

// "put:512K=rep_movsb,32M=avx512"
Problem read_direction(std::string_view text, const Processor& processor, CopyPlan& plan) {
  const std::string_view direction = cut(text, ':');
  if (direction != "put" && direction != "get")
    return "'" + std::string(direction) + "' is neither put nor get";
  while (!text.empty())
    if (auto problem = read_band(cut(text, ','), processor, direction == "put" ? plan.put : plan.get))
      return problem;
  return {};
}

Problem read_plan(std::string_view text, const Processor& processor, CopyPlan& plan) {
  if (text.find(':') == std::string_view::npos) {
    const CopyKernel* kernel;
    if (auto problem = find_runnable(text, processor, kernel)) return problem;
    append(plan.put, forced_from, kernel);
    append(plan.get, forced_from, kernel);
    return {};
  }
  while (!text.empty())
    if (auto problem = read_direction(cut(text, ';'), processor, plan)) return problem;
  return {};
}

std::string names_that_run_on(const Processor& processor) {
  std::string names;
  for (const CopyKernel& kernel : copy_kernels())
    if (kernel.runs_on(processor)) names += std::string(kernel.name) + ", ";
  return names;
}

std::string describe(const char* direction, const CopyBands& bands) {
  std::string text;
  for (int i = 0; i < bands.count; ++i)
    text += (i == 0 ? std::string(direction) + ":" : ",") + format_size(bands.bands[i].from) + "=" +
            bands.bands[i].kernel->name;
  return text;
}

}  // namespace

Result<CopyPlan> parse_copy_plan(std::string_view text, const Processor& processor) {
  CopyPlan plan;
  const Problem problem = read_plan(text, processor, plan);
  if (!problem) return plan;
  return Error{
      "ATRIUM_COPY=" + std::string(text) + " cannot be had", *problem, "choosing how large blocks are copied",
      "auto; one of " + names_that_run_on(processor) + "or a rule like put:512K=libc;get:4K=libc,1M=libc"};
}

std::string describe(const CopyPlan& plan) {
  const std::string put = describe("put", plan.put), get = describe("get", plan.get);
  return put + (put.empty() || get.empty() ? "" : ";") + get;
}

}  // namespace atrium
