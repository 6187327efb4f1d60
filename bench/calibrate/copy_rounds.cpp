// Two PEs time one copy kernel: both prepare the buffers, PE 0 copies and reads the clock.
// SPDX-License-Identifier: BSD-3-Clause
#include "copy_rounds.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <ctime>

#include "arch/fence.hpp"
#include "pshmem.h"

namespace atrium {
namespace {

volatile uint64_t sink;

double now_ns() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return 1e9 * static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec);
}

void rewrite(char* buffer, size_t bytes) {
  static uint64_t generation = 0;
  ++generation;
  for (size_t i = 0; i + 8 <= bytes; i += 8) {
    const uint64_t word = generation + i;
    std::memcpy(buffer + i, &word, 8);
  }
}

void read(const char* buffer, size_t bytes) {
  uint64_t sum = 0, word;
  for (size_t i = 0; i + 8 <= bytes; i += 8) {
    std::memcpy(&word, buffer + i, 8);
    sum += word;
  }
  sink = sum;
}

void* allocate(size_t bytes) {
  void* memory = pshmem_malloc(bytes);
  if (memory) return std::memset(memory, 1, bytes);  // the first touch is not what is measured
  std::fprintf(stderr, "calibrate: no %zu bytes of symmetric memory; try SHMEM_SYMMETRIC_SIZE=1G\n", bytes);
  pshmem_global_exit(1);
  return nullptr;
}

}  // namespace

CopyRounds::CopyRounds(size_t most_bytes)
    : me_(pshmem_my_pe()),
      source_(static_cast<char*>(allocate(most_bytes))),
      dest_(static_cast<char*>(allocate(most_bytes))),
      reading_(static_cast<double*>(allocate(sizeof(double)))) {}

// The copies that come first leave the destination's lines where this kernel leaves them: in a program it was
// the same kernel that wrote them last time. (Whose cache has them decides by a factor of two.)
CopyTimes CopyRounds::measure(const CopyKernel& kernel, Direction direction, size_t bytes) {
  const bool is_put = direction == Direction::put;
  const int source_owner = is_put ? 0 : 1, dest_owner = 1 - source_owner;
  const void* source = is_put ? source_ : pshmem_ptr(source_, 1);
  void* dest = is_put ? pshmem_ptr(dest_, 1) : dest_;
  CopyTimes times{};
  if (me_ == 0) times.again = time_again(kernel, dest, source, bytes);
  pshmem_barrier_all();
  if (me_ == source_owner) rewrite(source_, bytes);
  if (me_ == dest_owner) read(dest_, bytes);
  pshmem_barrier_all();
  if (me_ == 0) times.fresh = time_fresh(kernel, dest, source, bytes);
  pshmem_barrier_all();
  if (me_ == dest_owner) {
    const double begin = now_ns();
    read(dest_, bytes);
    pshmem_double_p(reading_, now_ns() - begin, 0);
  }
  pshmem_barrier_all();
  times.with_reading = times.fresh + *reading_;
  return times;
}

// Not at once, so that the other PE has left the barrier.
double CopyRounds::time_fresh(const CopyKernel& kernel, void* dest, const void* source, size_t bytes) const {
  const double settled = now_ns() + 2000;
  double begin;
  do begin = now_ns();
  while (begin < settled);
  kernel.copy(dest, source, bytes);
  full_fence();
  return now_ns() - begin;
}

double CopyRounds::time_again(const CopyKernel& kernel, void* dest, const void* source, size_t bytes) const {
  const int copies = static_cast<int>(std::clamp<size_t>((size_t{1} << 20) / bytes, 2, 32));
  kernel.copy(dest, source, bytes);
  const double begin = now_ns();
  for (int i = 0; i < copies; ++i) kernel.copy(dest, source, bytes);
  full_fence();
  return (now_ns() - begin) / copies;
}

}  // namespace atrium
