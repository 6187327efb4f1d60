// Which processor this is, as far as a choice depends on it.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace atrium {

struct Processor {
  bool amd = false;
  bool intel = false;
  bool sse2 = false;
  bool avx2 = false;         // and the kernel saves its registers
  bool avx512f = false;      // the same
  bool short_movsb = false;  // FSRM: `rep movsb` is fast, also for short blocks
};

inline Processor this_processor() {
  Processor processor;
#if defined(__x86_64__)
  __builtin_cpu_init();
  processor.amd = __builtin_cpu_is("amd");
  processor.intel = __builtin_cpu_is("intel");
  processor.sse2 = true;
  processor.avx2 = __builtin_cpu_supports("avx2");
  processor.avx512f = __builtin_cpu_supports("avx512f");
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  if (__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx)) processor.short_movsb = edx & (1u << 4);
#endif
  return processor;
}

}  // namespace atrium
