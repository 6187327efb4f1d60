// Tells valgrind's memcheck about blocks by client requests: sequences of instructions that have no effect on a processor.
// SPDX-License-Identifier: BSD-3-Clause
#include "os/memcheck.hpp"

#include <algorithm>
#include <cstdint>

namespace atrium {
namespace {

// Numbers of memcheck's interface (valgrind manual, section 4.7).
constexpr uintptr_t running_on_valgrind = 0x1001;
constexpr uintptr_t memcheck_requests = uintptr_t{'M'} << 24 | uintptr_t{'C'} << 16;
constexpr uintptr_t make_no_access = memcheck_requests + 0;
constexpr uintptr_t make_defined = memcheck_requests + 2;

// Returns 0 without valgrind.
uintptr_t request(uintptr_t what, uintptr_t first = 0, uintptr_t second = 0) {
  const volatile uintptr_t words[6] = {what, first, second, 0, 0, 0};
  uintptr_t answer = 0;
#if defined(__x86_64__)
  __asm__ volatile(
      "rolq $3, %%rdi; rolq $13, %%rdi; rolq $61, %%rdi; rolq $51, %%rdi\n\t"
      "xchgq %%rbx, %%rbx"
      : "+d"(answer)
      : "a"(words)
      : "cc", "memory");
#elif defined(__aarch64__)
  register uintptr_t result __asm__("x3") = 0;
  register const volatile uintptr_t* arguments __asm__("x4") = words;
  __asm__ volatile(
      "ror x12, x12, #3; ror x12, x12, #13; ror x12, x12, #51; ror x12, x12, #61\n\t"
      "orr x10, x10, x10"
      : "+r"(result)
      : "r"(arguments)
      : "cc", "memory");
  answer = result;
#endif
  return answer;
}

// In pieces, because memcheck warns of larger ones.
void request(uintptr_t what, const void* begin, size_t bytes) {
  constexpr size_t most = size_t{128} << 20;
  for (size_t done = 0; done < bytes; done += most)
    request(what, reinterpret_cast<uintptr_t>(begin) + done, std::min(most, bytes - done));
}

}  // namespace

bool under_memcheck() {
  static const bool answer = request(running_on_valgrind) != 0;
  return answer;
}

void hide_from_memcheck(const void* begin, size_t bytes) { request(make_no_access, begin, bytes); }
void show_to_memcheck(const void* begin, size_t bytes) { request(make_defined, begin, bytes); }

}  // namespace atrium
