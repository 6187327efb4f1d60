// Asks the C library what the processor can do and which one it is.
// SPDX-License-Identifier: BSD-3-Clause
//
// A CPUID instruction in a virtual machine is a visit to the hypervisor, some 6 us, and the compiler's
// __builtin_cpu_supports makes two dozen of them in a constructor of every program. The C library has asked
// already and keeps the answers.
#include "arch/processor.hpp"

#if defined(__aarch64__)
#include <asm/hwcap.h>
#include <sys/auxv.h>
#elif defined(__x86_64__)
#include <cpuid.h>
#if __has_include(<sys/platform/x86.h>)
#include <sys/platform/x86.h>
#endif
#endif

namespace atrium {
namespace {

#if defined(__x86_64__)

unsigned family_of(unsigned signature) {
  const unsigned family = signature >> 8 & 0xf;
  return family == 0xf ? family + (signature >> 20 & 0xff) : family;
}
unsigned model_of(unsigned signature) { return (signature >> 4 & 0xf) | (signature >> 12 & 0xf0); }

#if __has_include(<sys/platform/x86.h>)  // glibc 2.33

// All of AMD's since 2007 have SSE4a, and nobody else's but those built under its licence.
void identify(Processor& processor) {
  const unsigned signature = __x86_get_cpuid_feature_leaf(CPUID_INDEX_1)->cpuid_array[0];  // EAX of leaf 1
  processor.amd = CPU_FEATURE_PRESENT(SSE4A);
  processor.intel = !processor.amd;
  processor.family = family_of(signature);
  processor.model = model_of(signature);
  processor.avx2 = CPU_FEATURE_ACTIVE(AVX2);
  processor.avx512f = CPU_FEATURE_ACTIVE(AVX512F);
  processor.avx512bw = CPU_FEATURE_ACTIVE(AVX512BW);
  processor.short_movsb = CPU_FEATURE_PRESENT(FSRM);
  processor.aes = CPU_FEATURE_ACTIVE(AES) && CPU_FEATURE_ACTIVE(PCLMULQDQ) && CPU_FEATURE_ACTIVE(SSSE3);
  processor.vaes =
      processor.aes && processor.avx2 && CPU_FEATURE_ACTIVE(VAES) && CPU_FEATURE_ACTIVE(VPCLMULQDQ);
}

#else

void identify(Processor& processor) {
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  __cpuid(0, eax, ebx, ecx, edx);
  processor.amd = ebx == signature_AMD_ebx;
  processor.intel = ebx == signature_INTEL_ebx;
  __cpuid(1, eax, ebx, ecx, edx);
  processor.family = family_of(eax);
  processor.model = model_of(eax);
  __builtin_cpu_init();
  processor.avx2 = __builtin_cpu_supports("avx2");
  processor.avx512f = __builtin_cpu_supports("avx512f");
  processor.avx512bw = __builtin_cpu_supports("avx512bw");
  processor.aes =
      __builtin_cpu_supports("aes") && __builtin_cpu_supports("pclmul") && __builtin_cpu_supports("ssse3");
  if (!__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx)) return;
  processor.short_movsb = edx & (1u << 4);
  processor.vaes = processor.aes && processor.avx2 && (ecx & bit_VAES) && (ecx & bit_VPCLMULQDQ);
}

#endif
#endif

}  // namespace

Processor this_processor() {
  Processor processor;
#if defined(__x86_64__)
  processor.sse2 = true;
  identify(processor);
#elif defined(__aarch64__)
  const unsigned long has = getauxval(AT_HWCAP);
  processor.sve = has & HWCAP_SVE;
  processor.aes = (has & HWCAP_AES) && (has & HWCAP_PMULL);
#endif
  return processor;
}

}  // namespace atrium
