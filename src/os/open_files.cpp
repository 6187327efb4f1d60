// Raises the soft limit up to the hard limit, which only an administrator can raise.
// SPDX-License-Identifier: BSD-3-Clause
#include "os/open_files.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "atrium_system.hpp"

namespace atrium {
namespace {

rlimit limit_at_start;
bool is_raised = false;

}  // namespace

size_t raise_open_files() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return SIZE_MAX;
  if (limit.rlim_cur == limit.rlim_max) return limit.rlim_max;
  rlimit raised = limit;
  raised.rlim_cur = limit.rlim_max;
  if (::setrlimit(RLIMIT_NOFILE, &raised) != 0) return limit.rlim_cur;
  limit_at_start = limit;
  is_raised = true;
  return raised.rlim_cur;
}

size_t limit_reached_by(int process) {
  rlimit limit{};
  if (::prlimit(process, RLIMIT_NOFILE, nullptr, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return 0;
  // A new file gets the least number that is free, and may not get one from the limit on; files that were open before may have such.
  const std::vector<int> open = numbers_in(proc_folder(process) + "/fd");
  const auto in_the_way = std::count_if(
      open.begin(), open.end(), [&](int number) { return static_cast<rlim_t>(number) < limit.rlim_cur; });
  return static_cast<rlim_t>(in_the_way) < limit.rlim_cur ? 0 : limit.rlim_cur;
}

void restore_open_files() {
  if (is_raised) ::setrlimit(RLIMIT_NOFILE, &limit_at_start);
}

Result<void> require_open_files(size_t wanted, const std::string& what, const std::string& otherwise) {
  const size_t most = raise_open_files();
  if (wanted <= most) return {};
  const std::string number = std::to_string(wanted);
  return Error{
      what,
      "that takes up to " + number + " open files, and the limit is " + std::to_string(most),
      {},
      "ulimit -Hn " + number + ", which an administrator allows (nofile in limits.conf), or " + otherwise};
}

}  // namespace atrium
