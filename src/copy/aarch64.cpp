// The kernels for large copies on AArch64: NEON and SVE.
// SPDX-License-Identifier: BSD-3-Clause
#if defined(__aarch64__)
#include "arch/processor.hpp"
#include "copy/kernels.hpp"

namespace atrium {
namespace {

// `stnp` hints that the line will not be read again soon; its order is that of plain stores, so
// it needs no fence here.
void copy_neon(void* dest, const void* source, size_t bytes) {
  auto* to = static_cast<std::byte*>(dest);
  const auto* from = static_cast<const std::byte*>(source);
  for (; bytes >= 64; bytes -= 64, to += 64, from += 64)
    __asm__ __volatile__(
        "ldp q0, q1, [%1]\n ldp q2, q3, [%1, #32]\n stnp q0, q1, [%0]\n stnp q2, q3, [%0, #32]"
        :
        : "r"(to), "r"(from)
        : "v0", "v1", "v2", "v3", "memory");
  std::memcpy(to, from, bytes);
}

// Vectors of whatever length the processor has; the predicate p0 masks what is beyond the end.
void copy_sve(void* dest, const void* source, size_t bytes) {
  size_t done = 0;
  __asm__ __volatile__(
      ".arch_extension sve\n"
      "whilelo p0.b, %0, %3\n"
      "b.none 2f\n"
      "1: ld1b z0.b, p0/z, [%2, %0]\n"
      "st1b z0.b, p0, [%1, %0]\n"
      "incb %0\n"
      "whilelo p0.b, %0, %3\n"
      "b.first 1b\n"
      "2:"
      : "+r"(done)
      : "r"(dest), "r"(source), "r"(bytes)
      : "v0", "p0", "cc", "memory");
}

bool has_sve(const Processor& processor) { return processor.sve; }

constexpr CopyKernel kernels[] = {
    {"neon", copy_neon, detail::runs_everywhere},
    {"sve", copy_sve, has_sve},
    {"libc", detail::copy_libc, detail::runs_everywhere},
};

}  // namespace

std::span<const CopyKernel> copy_kernels() { return kernels; }

}  // namespace atrium
#endif
