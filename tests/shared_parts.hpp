// A stand-in for a job: processes forked over one shared mapping, each with its own part, deltas between the
// parts.
// SPDX-License-Identifier: BSD-3-Clause
//
//   | part 0: slot, bytes ... | part 1 | ... | part n-1 |        part k's copy of my address a is at a +
//   delta(k)
#pragma once

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstddef>
#include <cstdio>
#include <functional>
#include <vector>

#include "wait/park.hpp"

namespace atrium {

class SharedParts {
 public:
  static constexpr size_t part_bytes = size_t{1} << 20;

  explicit SharedParts(int parts) : parts_(parts) {
    base_ = static_cast<std::byte*>(
        mmap(nullptr, part_bytes * parts, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  }
  ~SharedParts() { munmap(base_, part_bytes * parts_); }
  SharedParts(const SharedParts&) = delete;
  SharedParts& operator=(const SharedParts&) = delete;

  // Part k's object at `offset` bytes behind the park slot.
  template <class T>
  T& at(int k, size_t offset) {
    return *reinterpret_cast<T*>(base_ + k * part_bytes + sizeof(ParkSlot) + offset);
  }
  ParkSlot* slot(int k) { return reinterpret_cast<ParkSlot*>(base_ + k * part_bytes); }

  // Runs body(me, deltas) in a process per part. Each must return true, and its expectations count like the
  // test's own.
  void run(const std::function<bool(int, const ptrdiff_t*)>& body) {
    std::vector<pid_t> children;
    for (int me = 0; me < parts_; ++me) {
      const pid_t child = fork();
      if (child == 0) be(me, body);
      children.push_back(child);
    }
    for (pid_t child : children) {
      int status = -1;
      waitpid(child, &status, 0);
      EXPECT_EQ(status, 0) << "a process of the job failed";
    }
  }

 private:
  [[noreturn]] void be(int me, const std::function<bool(int, const ptrdiff_t*)>& body) {
    my_park_slot = slot(me);
    std::vector<ptrdiff_t> deltas;
    for (int k = 0; k < parts_; ++k) deltas.push_back((k - me) * static_cast<ptrdiff_t>(part_bytes));
    const bool good = body(me, deltas.data()) && !testing::Test::HasFailure();
    std::fflush(nullptr);
    _exit(good ? 0 : 1);
  }

  int parts_;
  std::byte* base_;
};

}  // namespace atrium
