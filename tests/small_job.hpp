// A small job for tests of the operations: processes with an arena, a world team and a default context, and
// no launcher.
// SPDX-License-Identifier: BSD-3-Clause
//
//   a part:   | park slot | globals ... | heap ... |
#pragma once

#include <functional>
#include <vector>

#include "arena/arena.hpp"
#include "context/context.hpp"
#include "shared_parts.hpp"
#include "team/team.hpp"
#include "topology/placement.hpp"

namespace atrium {

class SmallJob {
 public:
  static constexpr size_t globals_bytes = 256 << 10;
  static constexpr size_t heap_bytes = SharedParts::part_bytes - globals_bytes - sizeof(ParkSlot);

  explicit SmallJob(int npes) : parts_(npes), npes_(npes) {}

  // Runs body() in every PE at once.
  void run(const std::function<void(const SmallJob&)>& body) {
    parts_.run([&](int me, const ptrdiff_t* delta) {
      enter(me, delta);
      body(*this);
      return true;
    });
  }

  // This very process becomes PE 0 and stays it: for death tests.
  void be_first_pe() {
    my_park_slot = parts_.slot(0);
    for (int k = 0; k < npes_; ++k) deltas_.push_back(k * static_cast<ptrdiff_t>(SharedParts::part_bytes));
    enter(0, deltas_.data());
  }

  int me() const { return placement.me(); }
  int npes() const { return npes_; }

  // My copy of an object in the heap, or in the static data; the same offset is the same object on every PE.
  template <class T>
  T* heap(size_t offset) const {
    return reinterpret_cast<T*>(arena.heap().begin + offset);
  }
  template <class T>
  T* globals(size_t offset) const {
    return reinterpret_cast<T*>(arena[Range::globals].begin + offset);
  }

 private:
  void enter(int me, const ptrdiff_t* delta) {
    set_placement(Placement::on_one_node(me, npes_));
    arena.delta = arena.system_delta = delta;
    auto* globals = reinterpret_cast<std::byte*>(my_park_slot + 1);
    std::byte* heap = globals + globals_bytes;
    arena[Range::globals] = {"the static data", globals, globals_bytes, globals};
    arena.heap() = {"the heap", heap, heap_bytes, heap};
    world_.me = me;
    world_.size = npes_;
    world_.delta = world_.inline_delta = delta;
    default_context.inline_delta = default_context.delta = delta;
    default_context.team = &world_;
  }

  SharedParts parts_;
  std::vector<ptrdiff_t> deltas_;
  Team world_;
  int npes_;
};

}  // namespace atrium
