// A stand-in for a job in tests of teams and collectives: forked processes with arenas in one shared mapping.
// SPDX-License-Identifier: BSD-3-Clause
//
//   | PE 0: park slot, system area, heap | PE 1 | ... | PE n-1 | meeting counter |
#pragma once

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "arena/arena.hpp"
#include "arena/delta_table.hpp"
#include "arena/system.hpp"
#include "coll/coll.hpp"
#include "coll/select/family.hpp"
#include "team/world.hpp"
#include "topology/cpus.hpp"
#include "topology/domain.hpp"
#include "topology/placement.hpp"
#include "wait/wait.hpp"

namespace atrium {

// What a test's body sees of its process.
class TestPe {
 public:
  explicit TestPe(int me, int size, std::byte* heap) : me(me), size(size), heap_(heap) {}

  const int me;
  const int size;

  // Symmetric memory, the same calls on all PEs.
  template <class T>
  T* allocate(size_t n) {
    const size_t bytes = (n * sizeof(T) + 127) / 128 * 128;
    return reinterpret_cast<T*>(std::exchange(heap_, heap_ + bytes));
  }

  void expect(bool holds, const std::string& what) {
    if (!holds && ++failures_ <= 3) std::fprintf(stderr, "PE %d of %d: %s\n", me, size, what.c_str());
  }
  bool succeeded() const { return failures_ == 0; }

 private:
  std::byte* heap_;
  int failures_ = 0;
};

class TestJob {
 public:
  static constexpr size_t system_bytes = size_t{16} << 20;
  static constexpr size_t part_bytes = size_t{32} << 20;
  static constexpr unsigned patience_seconds =
      150;  // on a machine with much else to do; a hang, not slowness

  // All PEs on one node, or each on the node that `nodes` says: then deltas to other nodes are AWAY.
  explicit TestJob(int size) : TestJob(std::vector<int>(static_cast<size_t>(size), 0)) {}
  explicit TestJob(std::vector<int> nodes) : size_(static_cast<int>(nodes.size())), nodes_(std::move(nodes)) {
    void* memory =
        mmap(nullptr, bytes(), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    base_ = static_cast<std::byte*>(memory);
  }
  ~TestJob() { munmap(base_, bytes()); }
  TestJob(const TestJob&) = delete;
  TestJob& operator=(const TestJob&) = delete;

  // Runs the body in a process per PE, on the world team; expects every process to end well.
  void run(const std::function<void(TestPe&)>& body) {
    std::vector<pid_t> children;
    for (int me = 0; me < size_; ++me) {
      const pid_t child = fork();
      if (child == 0) _exit(be(me, body) ? 0 : 1);
      children.push_back(child);
    }
    for (pid_t child : children) {
      int status = -1;
      waitpid(child, &status, 0);
      EXPECT_EQ(status, 0) << "a process of the job of " << size_ << " failed";
    }
  }

 private:
  size_t bytes() const { return part_bytes * static_cast<size_t>(size_) + 4096; }

  bool be(int me, const std::function<void(TestPe&)>& body) {
    alarm(patience_seconds);  // a hang ends as a failure
    std::byte* mine = base_ + part_bytes * static_cast<size_t>(me);
    my_park_slot = reinterpret_cast<ParkSlot*>(mine);
    build_arena(me, mine + 4096);
    if (!configure_waiting(size_, usable_cpus())) return false;
    if (!create_world_teams(placement, arena.delta)) return false;
    show_world_teams(arena.delta);
    meet_at_counter();
    set_domains_of_places(scattered_domains());
    if (!set_up_collectives(size_ > usable_cpus() ? uint64_t{oversubscribed} : 0, usable_cpus()))
      return false;
    TestPe pe(me, size_, arena.heap().begin);
    body(pe);
    meet_at_counter();
    destroy_world_teams();
    return pe.succeeded();
  }

  void build_arena(int me, std::byte* system) {
    set_placement(Placement(me, nodes_));
    arena.system = system;
    arena.system_size = system_bytes;
    arena.heap() = {"the heap", system + system_bytes, part_bytes - system_bytes - 4096, system};
    open_system_area(system_bytes);
    ptrdiff_t* delta = *create_delta_table(size_);
    for (int pe : placement.pes_here()) delta[pe] = (pe - me) * static_cast<ptrdiff_t>(part_bytes);
    arena.delta = arena.system_delta = delta;
  }

  // Three domains, neither of neighbours nor of equal size: 0 0 1 1 2 2 0 0 ...
  std::vector<Domain> scattered_domains() const {
    std::vector<Domain> domains;
    for (const int pe : placement.pes_here()) domains.push_back({pe / 2 % 3, no_domain});
    return domains;
  }

  // The job's bootstrap barrier.
  void meet_at_counter() {
    auto& counter = *reinterpret_cast<std::atomic<int>*>(base_ + part_bytes * static_cast<size_t>(size_));
    goal_ += size_;
    ++counter;
    while (counter.load() < goal_) sched_yield();
  }

  int size_;
  std::vector<int> nodes_;
  int goal_ = 0;
  std::byte* base_;
};

// The job sizes that contracts are run with.
inline const std::vector<int> job_sizes{1, 2, 3, 4, 7, 16};

// The names of a family's algorithms, as parameters of a suite.
template <class Family>
std::vector<std::string> names_of(const Family& family) {
  std::vector<std::string> names{"auto"};
  for (const auto* algorithm : family.list()) names.push_back(algorithm->name);
  return names;
}

inline std::string name_of_parameter(const testing::TestParamInfo<std::string>& info) { return info.param; }

}  // namespace atrium
