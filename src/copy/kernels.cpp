// Large copies: each kernel, and on which processors it has been measured to win.
// SPDX-License-Identifier: BSD-3-Clause
//
// Non-temporal stores on x86 are weakly ordered: they may become visible after later plain stores. So each
// kernel that uses them ends with sfence; whatever release or fence comes next then covers them.
#include "copy/kernels.hpp"

#include <algorithm>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace atrium {
namespace {

void copy_libc(void* dest, const void* source, size_t bytes) { std::memcpy(dest, source, bytes); }

bool everywhere(const Processor&) { return true; }
size_t not_measured(const Processor&) { return never; }

#if defined(__x86_64__)

// The string instruction needs no fence: its stores may be reordered among themselves, never with later ones.
void copy_rep_movsb(void* dest, const void* source, size_t bytes) {
  __asm__ __volatile__("rep movsb" : "+D"(dest), "+S"(source), "+c"(bytes) : : "memory");
}

constexpr size_t line = 64;

__attribute__((target("avx512f"))) void stream_avx512(std::byte* to, const std::byte* from, size_t lines) {
  for (; lines > 0; --lines, to += line, from += line)
    _mm512_stream_si512(reinterpret_cast<__m512i*>(to), _mm512_loadu_si512(from));
}

__attribute__((target("avx2"))) void stream_avx2(std::byte* to, const std::byte* from, size_t lines) {
  for (; lines > 0; --lines, to += line, from += line) {
    const auto* source = reinterpret_cast<const __m256i*>(from);
    auto* dest = reinterpret_cast<__m256i*>(to);
    const __m256i first = _mm256_loadu_si256(source), second = _mm256_loadu_si256(source + 1);
    _mm256_stream_si256(dest, first);
    _mm256_stream_si256(dest + 1, second);
  }
}

void stream_sse2(std::byte* to, const std::byte* from, size_t lines) {
  for (; lines > 0; --lines, to += line, from += line) {
    const auto* source = reinterpret_cast<const __m128i*>(from);
    auto* dest = reinterpret_cast<__m128i*>(to);
    for (int i = 0; i < 4; ++i) _mm_stream_si128(dest + i, _mm_loadu_si128(source + i));
  }
}

// Whole lines of dest with non-temporal stores, the ragged ends with plain ones.
template <void (*stream_lines)(std::byte* to, const std::byte* from, size_t lines)>
void copy_streaming(void* dest, const void* source, size_t bytes) {
  auto* to = static_cast<std::byte*>(dest);
  const auto* from = static_cast<const std::byte*>(source);
  const size_t head = std::min<size_t>(-reinterpret_cast<uintptr_t>(to) % line, bytes);
  const size_t middle = (bytes - head) / line * line;
  std::memcpy(to, from, head);
  stream_lines(to + head, from + head, middle / line);
  std::memcpy(to + head + middle, from + head + middle, bytes - head - middle);
  _mm_sfence();
}

// AMD EPYC 9005 (Turin), glibc 2.36: from 1 MiB on glibc leaves `rep movsb` for a loop that first fetches the
// lines it will overwrite, out of the peer's cache: 7.7 GB/s against 41 (17 against 6 with the peer's
// reading). From 512 KiB on we are ahead by 8 %. docs/design/copying.md
size_t movsb_wins_from(const Processor& processor) {
  return processor.amd && processor.short_movsb ? size_t{512} << 10 : never;
}

// Intel Emerald Rapids: 18 GB/s against 11 to 14 at 4 MiB, and ahead from there up (PERFORMANCE.md, "What the
// sizes teach"); below, a peer that reads at once finds the lines in memory instead of a cache and loses
// by 1.2 to 1.5.
size_t avx512_wins_from(const Processor& processor) { return processor.intel ? size_t{4} << 20 : never; }

bool has_short_movsb(const Processor& processor) { return processor.short_movsb; }
bool has_avx512(const Processor& processor) { return processor.avx512f; }
bool has_avx2(const Processor& processor) { return processor.avx2; }

constexpr CopyKernel kernels[] = {
    {"rep_movsb", copy_rep_movsb, has_short_movsb, movsb_wins_from},
    {"avx512", copy_streaming<stream_avx512>, has_avx512, avx512_wins_from},
    {"avx2", copy_streaming<stream_avx2>, has_avx2, not_measured},
    {"sse2", copy_streaming<stream_sse2>, everywhere, not_measured},
    {"libc", copy_libc, everywhere, not_measured},
};

#elif defined(__aarch64__)

// `stnp` hints that the line will not be read again soon; its order is that of plain stores, so it needs no
// fence here.
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

constexpr CopyKernel kernels[] = {
    {"neon", copy_neon, everywhere, not_measured},
    {"libc", copy_libc, everywhere, not_measured},
};

#else

constexpr CopyKernel kernels[] = {{"libc", copy_libc, everywhere, not_measured}};

#endif

}  // namespace

std::span<const CopyKernel> copy_kernels() { return kernels; }

}  // namespace atrium
