// Switches between fibers by changing the stack. The C library's contexts would also save the mask of signals, by a system call for
// each switch.
// SPDX-License-Identifier: BSD-3-Clause
#include "sim/fiber.hpp"

#include <sys/mman.h>

#include <cstdint>
#include <cstdlib>
#include <utility>

#include "core/log.hpp"
#include "os/page.hpp"

// atrium_change_stack(void** old, void* other): pushes what a call keeps, notes the stack pointer in *old, and returns on the other
// stack, where a call of the same has stopped. The last word to be popped is the address at which it goes on.
extern "C" void atrium_change_stack(void** old, void* other);

#if defined(__x86_64__)
__asm__(R"(
.text
.globl atrium_change_stack
.hidden atrium_change_stack
.type atrium_change_stack, @function
atrium_change_stack:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size atrium_change_stack, . - atrium_change_stack
)");
#else
__asm__(R"(
.text
.globl atrium_change_stack
.hidden atrium_change_stack
.type atrium_change_stack, %function
atrium_change_stack:
  stp d8, d9, [sp, #-160]!
  stp d10, d11, [sp, #16]
  stp d12, d13, [sp, #32]
  stp d14, d15, [sp, #48]
  stp x19, x20, [sp, #64]
  stp x21, x22, [sp, #80]
  stp x23, x24, [sp, #96]
  stp x25, x26, [sp, #112]
  stp x27, x28, [sp, #128]
  stp x29, x30, [sp, #144]
  mov x9, sp
  str x9, [x0]
  mov sp, x1
  ldp d10, d11, [sp, #16]
  ldp d12, d13, [sp, #32]
  ldp d14, d15, [sp, #48]
  ldp x19, x20, [sp, #64]
  ldp x21, x22, [sp, #80]
  ldp x23, x24, [sp, #96]
  ldp x25, x26, [sp, #112]
  ldp x27, x28, [sp, #128]
  ldp x29, x30, [sp, #144]
  ldp d8, d9, [sp], #160
  ret
.size atrium_change_stack, . - atrium_change_stack
)");
#endif

namespace atrium::sim {
namespace {

#if defined(__x86_64__)
constexpr size_t words_kept = 6, words_above = 1;  // behind a return the stack is as behind a call
#else
constexpr size_t words_kept = 19, words_above = 0;
#endif

Fiber* begins = nullptr;  // if its stack is new

// Each guard splits a mapping, of which a process may have 65,530.
constexpr size_t most_guarded = 16384;

}  // namespace

Stacks::Stacks(size_t count) : count_(count) {
  void* memory = ::mmap(nullptr, count * bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED) fatal(system_error("cannot make the stacks of the simulated PEs", "mmap"));
  memory_ = static_cast<std::byte*>(memory);
  ::madvise(memory_, count * bytes, MADV_NOHUGEPAGE);
  for (size_t i = 0; i < count && count <= most_guarded; ++i) ::mprotect((*this)[i], page_size(), PROT_NONE);
}

Stacks::~Stacks() { ::munmap(memory_, count_ * bytes); }

Fiber::Fiber(std::byte* stack, std::function<void()> body) : body_(std::move(body)) {
  auto* const first = reinterpret_cast<uintptr_t*>(stack + Stacks::bytes) - words_above - 1;
  *first = reinterpret_cast<uintptr_t>(&Fiber::enter);
  inside_ = first - words_kept;
}

void Fiber::enter() {
  begins->body_();
  std::abort();
}

void Fiber::resume() {
  begins = this;
  atrium_change_stack(&outside_, inside_);
}
void Fiber::stop() { atrium_change_stack(&inside_, outside_); }

}  // namespace atrium::sim
