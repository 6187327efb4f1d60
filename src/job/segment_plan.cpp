// Computes the sizes of heap, globals and system area from the settings and the machine's limits.
// SPDX-License-Identifier: BSD-3-Clause
#include "job/segment_plan.hpp"

#include <algorithm>
#include <string>

#include "arena/system.hpp"
#include "core/settings.hpp"
#include "os/memory_limits.hpp"
#include "os/page.hpp"
#include "segment/segment.hpp"
#include "topology/quota.hpp"

namespace atrium {
namespace {

constexpr size_t smallest_heap = size_t{8} << 20;
// What a PE takes beside its arena where there are several nodes: the buffers of its endpoint, 11 MiB with libfabric's tcp
// (docs/design/memory.md). A sixteenth of the rest is the launcher's and the kernel's.
constexpr size_t own_between_nodes = size_t{12} << 20;
constexpr size_t most_pinned_heap = size_t{1} << 30;

size_t bytes_beside_heap(const Placement& placement, const DataSegment& data) {
  return system_area_bytes(placement.nodes()) + data.size() + 2 * huge_page_size;
}

Result<size_t> heap_bytes(const Placement& pes, int neighbours, const DataSegment& data, bool pinned) {
  if (setting("SHMEM_SYMMETRIC_SIZE") == "auto") {
    const size_t heap =
        automatic_heap(pes, neighbours, bytes_beside_heap(pes, data), pinned, address_space_left());
    if (heap == 0)
      return Error{"no room for a symmetric heap", "ulimit -v leaves too little address space",
                   "planning " + std::to_string(pes.places()) + " arenas",
                   "ulimit -v unlimited, or fewer PEs"};
    return heap;
  }
  auto size = size_setting("SHMEM_SYMMETRIC_SIZE");
  if (!size) return size.error();
  return round_up(std::max(*size, page_size()), page_size());
}

Result<uint64_t> wanted_kind() {
  auto word = word_setting("ATRIUM_SEGMENT");
  if (!word) return word.error();
  return static_cast<uint64_t>(&segment_kind(*word) - segment_kinds().data());
}

}  // namespace

// All the memory of the node, shared among its PEs: more could not be used, and less would be a guess. In a small container
// what PEs take beside their arenas counts: the kernel would end the job where shmem_malloc should return null. Where
// `ulimit -v` is tighter, the heaps must fit in three quarters of it: each PE maps all arenas twice (heaps and static data, as
// far apart), and where there are several nodes once more for the network (job/node_view.hpp).
size_t automatic_heap(const Placement& placement, int neighbours, size_t others, bool pinned,
                      size_t address_space) {
  const auto pes = static_cast<size_t>(placement.places()), sharers = static_cast<size_t>(neighbours);
  size_t heap = memory_of_node() / sharers;
  if (placement.nodes() > 1) heap -= std::min(heap, heap / 16 + own_between_nodes);
  if (pinned) heap = std::min(heap, pinned_heap(sharers, others, memory_of_node(), lockable_memory()));
  if (address_space != SIZE_MAX) {
    const size_t views = placement.nodes() > 1 ? 3 : 2, each = address_space / 4 * 3 / (views * pes);
    heap = std::min(heap, each > others ? each - others : 0);
    return round_down(heap, page_size());
  }
  return round_down(std::max(heap, smallest_heap), huge_page_size);
}

// Half of the memory is left to the program, and a sixteenth of what may be locked to the network's own buffers.
size_t pinned_heap(size_t pes, size_t others, size_t node_memory, size_t lockable) {
  const size_t arena = std::min(node_memory / 2, lockable / 16 * 15) / pes;
  return std::min(most_pinned_heap, arena - std::min(arena, others));
}

size_t least_pinned(int places, int nodes) {
  auto given =
      setting("SHMEM_SYMMETRIC_SIZE") == "auto" ? smallest_heap : size_setting("SHMEM_SYMMETRIC_SIZE");
  return static_cast<size_t>(places) * (system_area_bytes(nodes) + (given ? *given : 0));
}

Result<SegmentPlan> plan_segment(const Placement& pes, int neighbours, const DataSegment& data, bool pinned) {
  auto heap = heap_bytes(pes, neighbours, data, pinned);
  if (!heap) return heap.error();
  auto kind = wanted_kind();
  if (!kind) return kind.error();
  SegmentPlan plan{};
  plan.globals_size = data.size();
  plan.globals_print = data.fingerprint;
  plan.program_build = data.build;
  plan.heap_size = *heap;
  plan.system_size = system_area_bytes(pes.nodes());
  plan.kind = *kind;
  plan.cpu_quota = cgroup_quota();
  return plan;
}

Result<Layout> layout_of(const SegmentPlan& plan, const Placement& pes) {
  bool overflow = false;
  const int places = pes.most_places();
  const size_t lobby =
      lobby_bytes(static_cast<size_t>(places), static_cast<size_t>(pes.nodes()), pes.words().size());
  Layout layout =
      divide_segment(places, lobby, plan.globals_size, plan.system_size, plan.heap_size, overflow);
  if (!overflow) return layout;
  return Error{
      "cannot reserve the symmetric heap",
      std::to_string(places) + " heaps of " + format_size(plan.heap_size) + " are more than a file can hold",
      "planning the segment", "SHMEM_SYMMETRIC_SIZE=1G"};
}

Result<void> check_same_program(const SegmentPlan& plan, const DataSegment& data) {
  if (plan.globals_size == data.size() && plan.globals_print == data.fingerprint) return {};
  return Error{"this PE runs another program than PE 0",
               "their static data differ in size or place, so static objects cannot be symmetric",
               "comparing the executables", "starting the same executable on all PEs"};
}

}  // namespace atrium
