// Runs a function that needs much stack on a stack of its own, and comes back.
// SPDX-License-Identifier: BSD-3-Clause
//
// By the C library's contexts: the kernel lets nobody change a stack on which a signal handler runs, neither by sigaltstack() nor, on
// all versions, by the context that the handler returns to.
#pragma once

#include <sys/mman.h>
#include <ucontext.h>

#include <csignal>
#include <cstddef>
#include <cstdint>
#include <new>

namespace atrium {

// Memory for a stack; `begin` is null where there is none.
struct StackRoom {
  void* begin = nullptr;
  size_t bytes = 0;
};

inline StackRoom get_stack_room(size_t bytes) {
  void* const memory =
      ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
  return memory == MAP_FAILED ? StackRoom{} : StackRoom{memory, bytes};
}

inline void give_back(const StackRoom& room) { ::munmap(room.begin, room.bytes); }

// Found by the dynamic linker when the program or library is loaded: when they were first called, that would need more than a small
// stack has.
struct ContextCalls {
  decltype(&::getcontext) get = ::getcontext;
  decltype(&::makecontext) make = ::makecontext;
  decltype(&::swapcontext) swap = ::swapcontext;
};
inline const volatile ContextCalls context_calls{};

// Lies at the beginning of the room: the contexts would fill a small stack by themselves.
struct StackCrossing {
  ucontext_t before, there;
  void (*run)(void*);
  void* subject;
};

// makecontext() passes no pointers.
inline void begin_there(uint32_t high, uint32_t low) {
  const auto* const crossing = reinterpret_cast<StackCrossing*>(uintptr_t{high} << 32 | low);
  crossing->run(crossing->subject);
}

// Calls run(subject) in the room, which nobody else uses, and returns when it has. `blocked`: signals that do not arrive meanwhile, in
// place of those that are blocked now.
inline void run_in(const StackRoom& room, void (*run)(void*), void* subject,
                   const sigset_t* blocked = nullptr) {
  constexpr size_t head = (sizeof(StackCrossing) + 63) / 64 * 64;
  auto* const crossing = new (room.begin) StackCrossing;
  crossing->run = run;
  crossing->subject = subject;
  context_calls.get(&crossing->there);
  crossing->there.uc_stack.ss_sp = static_cast<char*>(room.begin) + head;
  crossing->there.uc_stack.ss_size = room.bytes - head;
  crossing->there.uc_link = &crossing->before;
  if (blocked) crossing->there.uc_sigmask = *blocked;
  const auto address = reinterpret_cast<uintptr_t>(crossing);
  context_calls.make(&crossing->there, reinterpret_cast<void (*)()>(begin_there), 2,
                     static_cast<uint32_t>(address >> 32), static_cast<uint32_t>(address));
  context_calls.swap(&crossing->before, &crossing->there);
}

// Calls work() on a stack of so many bytes; where there is no memory for it, on the one at hand.
template <class Work>
void on_larger_stack(size_t bytes, const Work& work) {
  const StackRoom room = get_stack_room(bytes);
  if (!room.begin) return work();
  run_in(
      room, [](void* subject) { (*static_cast<const Work*>(subject))(); }, const_cast<Work*>(&work));
  give_back(room);
}

}  // namespace atrium
