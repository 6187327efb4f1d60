// The slow stages of a wait for another rank: yielding the CPU, then sleeping.
// SPDX-License-Identifier: BSD-3-Clause
#include "wait/wait.hpp"

#include <sched.h>

#include <algorithm>
#include <ctime>

namespace atrium::mpi {
namespace {

// A yield takes 0.5 to 2 us; so the MPI is looked after every 30 to 100 us, at the price of a percent.
constexpr unsigned yields_per_probe = 64;
// About 1 to 2 ms of yields, longer than any other rank's turn; who waits longer waits for work, not for a
// turn.
constexpr unsigned yields_before_sleep = 1024;

}  // namespace

// A thirty-second of the time waited so far: the sleep adds at most 3 % to a long wait and frees the
// processor.
void Pause::sleep() {
  const std::int64_t waited = atrium_now_ns() - since_ns_;
  const timespec nap{0, static_cast<long>(std::clamp<std::int64_t>(waited / 32, 20'000, 1'000'000))};
  nanosleep(&nap, nullptr);
}

void Pause::once() {
  if (rounds_ == 0) since_ns_ = atrium_now_ns();
  ++rounds_;
  if (rounds_ % yields_per_probe == 0 || rounds_ > yields_before_sleep) {
    int found = 0;
    PMPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, wait_policy_.progress, &found, MPI_STATUS_IGNORE);
  }
  if (rounds_ > yields_before_sleep) return sleep();
  sched_yield();
}

}  // namespace atrium::mpi
