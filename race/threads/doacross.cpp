// Iterations of OpenMP's ordered loops that wait for others (`depend(source)`, `depend(sink: ...)`), by gcc and by clang.
// SPDX-License-Identifier: BSD-3-Clause
//
// Which iteration is waited for is not followed: a waiting thread takes over what all have posted by then, which orders too
// much, never too little.
#include <cstdarg>
#include <cstdint>

#include "race/threads/next.hpp"
#include "race/threads/team.hpp"

using namespace atrium::race;

namespace {

// Only libgomp knows how many loops are nested, and so how many arguments there are. It takes as many as it needs of these;
// the others are whatever lies in the caller's frames.
constexpr int most_loops = 24;

template <class Count>
struct Counts {
  Count count[most_loops];
  Counts(Count first, va_list others) {
    count[0] = first;
    for (int i = 1; i < most_loops; ++i) count[i] = va_arg(others, Count);
  }
  template <class Wait>
  void pass_to(Wait* wait) const {
    const Count* c = count;
    wait(c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7], c[8], c[9], c[10], c[11], c[12], c[13], c[14], c[15],
         c[16], c[17], c[18], c[19], c[20], c[21], c[22], c[23]);
  }
};

const void* posted() { return team_here(); }

}  // namespace

#pragma GCC visibility push(default)
extern "C" {

void GOMP_doacross_post(long* counts) {
  NEXT(void(long*), GOMP_doacross_post);
  released(posted());
  next(counts);
}
void GOMP_doacross_ull_post(unsigned long long* counts) {
  NEXT(void(unsigned long long*), GOMP_doacross_ull_post);
  released(posted());
  next(counts);
}
void GOMP_doacross_wait(long first, ...) {
  NEXT(void(long, ...), GOMP_doacross_wait);
  va_list others;
  va_start(others, first);
  Counts<long>(first, others).pass_to(next);
  va_end(others);
  acquired(posted());
}
void GOMP_doacross_ull_wait(unsigned long long first, ...) {
  NEXT(void(unsigned long long, ...), GOMP_doacross_ull_wait);
  va_list others;
  va_start(others, first);
  Counts<unsigned long long>(first, others).pass_to(next);
  va_end(others);
  acquired(posted());
}

void __kmpc_doacross_post(void* place, int32_t thread, const int64_t* counts) {
  NEXT(void(void*, int32_t, const int64_t*), __kmpc_doacross_post);
  released(posted());
  next(place, thread, counts);
}
void __kmpc_doacross_wait(void* place, int32_t thread, const int64_t* counts) {
  NEXT(void(void*, int32_t, const int64_t*), __kmpc_doacross_wait);
  next(place, thread, counts);
  acquired(posted());
}

}  // extern "C"
#pragma GCC visibility pop
