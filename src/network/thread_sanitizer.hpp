// What a program under -fsanitize=thread must be told: the library is not instrumented, but its calls of memcpy are seen.
// SPDX-License-Identifier: BSD-3-Clause
//
// The sanitizer sees neither the progress lock, so that the memory of messages would seem to be written by two threads at
// once, nor what orders a record of another node before my look at the word that it changed: between processes of
// one node it does not see the stores at all. Without the sanitizer these symbols are null.
#pragma once

extern "C" {
void __tsan_acquire(void* address) __attribute__((weak));
void __tsan_release(void* address) __attribute__((weak));
void AnnotateIgnoreReadsBegin(const char* file, int line) __attribute__((weak));
void AnnotateIgnoreReadsEnd(const char* file, int line) __attribute__((weak));
void AnnotateIgnoreWritesBegin(const char* file, int line) __attribute__((weak));
void AnnotateIgnoreWritesEnd(const char* file, int line) __attribute__((weak));
}

namespace atrium {

inline void mark_acquired(void* lock) {
  if (__builtin_expect(__tsan_acquire != nullptr, 0)) __tsan_acquire(lock);
}
inline void mark_released(void* lock) {
  if (__builtin_expect(__tsan_release != nullptr, 0)) __tsan_release(lock);
}

// While it lives, this thread executes records of other nodes.
class UnseenBySanitizer {
 public:
  UnseenBySanitizer() {
    if (__builtin_expect(AnnotateIgnoreReadsBegin == nullptr, 1)) return;
    AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
    AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
  }
  ~UnseenBySanitizer() {
    if (__builtin_expect(AnnotateIgnoreReadsEnd == nullptr, 1)) return;
    AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
    AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
  }
  UnseenBySanitizer(const UnseenBySanitizer&) = delete;
  UnseenBySanitizer& operator=(const UnseenBySanitizer&) = delete;
};

}  // namespace atrium
