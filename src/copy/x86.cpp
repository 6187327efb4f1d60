// The kernels for large copies on x86-64: rep movsb and streaming stores of SSE2, AVX2 and AVX-512.
// SPDX-License-Identifier: BSD-3-Clause
//
// Non-temporal stores on x86 are weakly ordered: they may become visible after later plain stores. So each
// kernel that uses them ends with sfence; whatever release or fence comes next then covers them.
#if defined(__x86_64__)
#include <immintrin.h>

#include <algorithm>
#include <cstdint>

#include "arch/processor.hpp"
#include "copy/kernels.hpp"

namespace atrium {
namespace {

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

// Through the caches: for blocks whose destination is in mine and will be read again.
__attribute__((target("avx512f"))) void copy_avx512_cached(void* dest, const void* source, size_t bytes) {
  auto* to = static_cast<std::byte*>(dest);
  const auto* from = static_cast<const std::byte*>(source);
  for (; bytes >= 2 * line; bytes -= 2 * line, to += 2 * line, from += 2 * line) {
    _mm512_storeu_si512(to, _mm512_loadu_si512(from));
    _mm512_storeu_si512(to + line, _mm512_loadu_si512(from + line));
  }
  std::memcpy(to, from, bytes);
}

bool has_short_movsb(const Processor& processor) { return processor.short_movsb; }
bool has_avx512(const Processor& processor) { return processor.avx512f; }
bool has_avx2(const Processor& processor) { return processor.avx2; }

constexpr CopyKernel kernels[] = {
    {"rep_movsb", copy_rep_movsb, has_short_movsb},
    {"avx512", copy_streaming<stream_avx512>, has_avx512},
    {"avx512_cached", copy_avx512_cached, has_avx512},
    {"avx2", copy_streaming<stream_avx2>, has_avx2},
    {"sse2", copy_streaming<stream_sse2>, detail::runs_everywhere},
    {"libc", detail::copy_libc, detail::runs_everywhere},
};

}  // namespace

std::span<const CopyKernel> copy_kernels() { return kernels; }

}  // namespace atrium
#endif
