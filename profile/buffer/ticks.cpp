// Chooses the clock of the records, and measures how fast it runs.
// SPDX-License-Identifier: BSD-3-Clause
#include "profile/buffer/ticks.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cstring>

namespace atrium::profile {

// On AArch64 the generic timer is what Linux counts by. On x86-64 Linux gives the counter up where it cannot be trusted.
TickSource best_tick_source() {
#if defined(__aarch64__)
  return TickSource::counter;
#elif defined(__x86_64__)
  char name[16] = "";
  const int fd =
      open("/sys/devices/system/clocksource/clocksource0/current_clocksource", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return TickSource::monotonic;
  const ssize_t length = read(fd, name, sizeof name - 1);
  close(fd);
  return length >= 3 && std::strncmp(name, "tsc", 3) == 0 ? TickSource::counter : TickSource::monotonic;
#else
  return TickSource::monotonic;
#endif
}

// Of some tries the one that nothing came between.
Moment moment_now(TickSource source) {
  Moment best{};
  uint64_t shortest = UINT64_MAX;
  for (int i = 0; i < 8; ++i) {
    const uint64_t before = read_ticks(source), ns = atrium_now_ns(), after = read_ticks(source);
    if (after - before >= shortest) continue;
    shortest = after - before;
    best = {before + shortest / 2, ns};
  }
  return best;
}

Scale::Scale(const Moment& first, const Moment& second) {
  if (second.ticks > first.ticks && second.ns > first.ns)
    ns_per_tick_ =
        static_cast<double>(second.ns - first.ns) / static_cast<double>(second.ticks - first.ticks);
}

}  // namespace atrium::profile
