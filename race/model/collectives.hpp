// Barriers and collectives, and whose data they bring to whom.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "race/model/job.hpp"
#include "race/model/meeting.hpp"
#include "race/model/site.hpp"

namespace atrium::race {

// Which members' data reach whom.
enum class Flow { from_root, all, lower };
class CollectiveUse {
 public:
  CollectiveUse(const Site& site, const Group& group, Flow flow, int root, const void* source,
                size_t source_bytes, uint64_t value = 0);
  // When the routine has run: what it wrote here.
  void wrote(const void* dest, size_t bytes);
  void wrote_strided(const void* dest, ptrdiff_t stride, size_t block, size_t count, size_t unit);
  uint64_t sum_of_values();
  ~CollectiveUse();
  CollectiveUse(const CollectiveUse&) = delete;
  CollectiveUse& operator=(const CollectiveUse&) = delete;

 private:
  void hear_others();
  Site site_;
  Group group_;
  Flow flow_;
  int root_;
  bool heard_ = false;
  alignas(16) unsigned char meeting_[192];
};
class BarrierUse {
 public:
  BarrierUse(const Site& site, const Group& group, bool completes);
  ~BarrierUse();
  BarrierUse(const BarrierUse&) = delete;
  BarrierUse& operator=(const BarrierUse&) = delete;

 private:
  bool used_;
  alignas(16) unsigned char meeting_[192];
};

template <class Run>
auto barrier_like(Site site, const Group& group, bool completes, Run run) {
  const BarrierUse use(site, group, completes);
  return run();
}
template <class Run>
void barrier_all(Site site, Run run) {
  if (!working) return run();
  barrier_like(site, Group::world(), true, run);
}
template <class Run>
void sync_all(Site site, Run run) {
  if (!working) return run();
  barrier_like(site, Group::world(), false, run);
}
template <class Run>
auto barrier(Site site, const Group& group, Run run) {
  return barrier_like(site, group, true, run);
}
template <class Run>
auto sync(Site site, const Group& group, Run run) {
  return barrier_like(site, group, false, run);
}

// The routine runs between entry and exit; then `done` says what it wrote.
template <class Run, class Done>
auto collective(Site site, const Group& group, Flow flow, int root, const void* source, size_t source_bytes,
                uint64_t value, Run run, Done done) {
  if (!working || group.meeting < 0) return run();
  CollectiveUse use(site, group, flow, root, source, source_bytes, value);
  if constexpr (std::is_void_v<decltype(run())>) {
    run();
    done(use);
  } else {
    const auto status = run();
    done(use);
    return status;
  }
}

template <class Run>
auto reduce(Site site, const Group& group, void* dest, const void* source, size_t count, size_t unit,
            Run run) {
  return collective(site, group, Flow::all, 0, source, count * unit, 0, run,
                    [&](CollectiveUse& use) { use.wrote(dest, count * unit); });
}
template <class Run>
auto scan(Site site, const Group& group, void* dest, const void* source, size_t count, size_t unit, Run run) {
  return collective(site, group, Flow::lower, 0, source, count * unit, 0, run,
                    [&](CollectiveUse& use) { use.wrote(dest, count * unit); });
}
template <class Run>
auto broadcast(Site site, const Group& group, void* dest, const void* source, size_t count, size_t unit,
               int root, Run run) {
  return collective(site, group, Flow::from_root, root, group.rank == root ? source : nullptr, count * unit,
                    0, run, [&](CollectiveUse& use) { use.wrote(dest, count * unit); });
}
template <class Run>
auto broadcast_others(Site site, const Group& group, void* dest, const void* source, size_t count,
                      size_t unit, int root, Run run) {
  return collective(site, group, Flow::from_root, root, group.rank == root ? source : nullptr, count * unit,
                    0, run, [&](CollectiveUse& use) {
                      if (group.rank != root) use.wrote(dest, count * unit);
                    });
}
template <class Run>
auto fcollect(Site site, const Group& group, void* dest, const void* source, size_t count, size_t unit,
              Run run) {
  return collective(site, group, Flow::all, 0, source, count * unit, 0, run, [&](CollectiveUse& use) {
    use.wrote(dest, count * unit * static_cast<size_t>(group.size));
  });
}
template <class Run>
auto collect(Site site, const Group& group, void* dest, const void* source, size_t count, size_t unit,
             Run run) {
  return collective(site, group, Flow::all, 0, source, count * unit, count, run,
                    [&](CollectiveUse& use) { use.wrote(dest, use.sum_of_values() * unit); });
}
template <class Run>
auto alltoall(Site site, const Group& group, void* dest, const void* source, size_t count, size_t unit,
              Run run) {
  const size_t bytes = count * unit * static_cast<size_t>(group.size);
  return collective(site, group, Flow::all, 0, source, bytes, 0, run,
                    [&](CollectiveUse& use) { use.wrote(dest, bytes); });
}
template <class Run>
auto alltoalls(Site site, const Group& group, void* dest, const void* source, ptrdiff_t dest_stride,
               ptrdiff_t source_stride, size_t count, size_t unit, Run run) {
  const size_t blocks = count * static_cast<size_t>(group.size);
  const size_t reach = blocks == 0 ? 0 : ((blocks - 1) * static_cast<size_t>(source_stride) + 1) * unit;
  return collective(site, group, Flow::all, 0, source_stride == 1 ? source : nullptr, reach, 0, run,
                    [&](CollectiveUse& use) { use.wrote_strided(dest, dest_stride, 1, blocks, unit); });
}

}  // namespace atrium::race
