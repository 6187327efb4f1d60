// What barriers and data collectives order, and which memory they read and write.
// SPDX-License-Identifier: BSD-3-Clause
//
// A member's accesses come after it has left its clock for the others, and what it wrote is noted after it has read
// those whose data it has: so the others' earlier uses of its buffers, which they completed before they entered, precede.
#include "race/openshmem/collectives.hpp"

#include <utility>

#include "race/model/site.hpp"
#include "race/openshmem/order.hpp"

namespace atrium::race {
namespace {

using interpose::RoutineFamily;

Strand& completed(Strand& strand, bool completes) {
  if (completes) complete_context(strand, interpose::context_of(SHMEM_CTX_DEFAULT));
  return strand;
}

bool is_rooted(RoutineFamily family) {
  return family == RoutineFamily::broadcast || family == RoutineFamily::broadcast_others;
}

// Of an all-to-all, `count` is what goes to each member.
size_t parts(const RoutineCall& operation) {
  return operation.family == RoutineFamily::alltoall ? static_cast<size_t>(operation.group->size()) : 1;
}

// From the first to the last byte that it gives; with a stride of more than one, what lies between is not its own.
size_t bytes_given(const RoutineCall& operation) {
  const size_t elements = operation.count * parts(operation);
  if (!operation.strides || elements == 0) return elements * operation.unit;
  return ((elements - 1) * static_cast<size_t>(operation.strides->source) + 1) * operation.unit;
}

bool gives(const RoutineCall& operation) {
  if (operation.strides && operation.strides->source != 1) return false;
  return operation.source && (!is_rooted(operation.family) || operation.group->rank == operation.pe);
}

// What the others need to know of my arguments.
uint64_t value_of(const RoutineCall& operation) {
  return operation.family == RoutineFamily::collect ? operation.count : 0;
}

Origin origin_of_given(const RoutineCall& operation) {
  return origin_of(operation.site, bytes_given(operation));
}

}  // namespace

BarrierUse::BarrierUse(const interpose::Site& site, const PeGroup& group, bool completes)
    : meeting_(completed(here(), completes), group, origin_of(site, 0)) {}

CollectiveUse::CollectiveUse(const RoutineCall& operation)
    : meeting_(here(), *operation.group, origin_of_given(operation), value_of(operation)),
      group_(*operation.group),
      family_(operation.family),
      root_(operation.pe) {
  if (gives(operation))
    touch_anywhere(operation.source, bytes_given(operation),
                   access_now(here(), is_read, origin_of_given(operation)));
}

CollectiveUse::~CollectiveUse() { learn_from_others(); }

// Those whose data this PE has: the root, the lower ones and itself, or all.
void CollectiveUse::learn_from_others() {
  if (std::exchange(learned_, true) || job.strict) return;
  if (is_rooted(family_)) return meeting_.merge(root_);
  const int end = family_ == RoutineFamily::scan ? group_.rank : group_.size();
  for (int rank = 0; rank < end; ++rank) meeting_.merge(rank);
}

void CollectiveUse::wrote(const RoutineCall& operation) {
  if (family_ == RoutineFamily::broadcast_others && group_.rank == root_) return;
  learn_from_others();
  size_t elements = operation.count * parts(operation);
  if (family_ == RoutineFamily::fcollect) elements *= static_cast<size_t>(group_.size());
  if (family_ == RoutineFamily::collect) {
    elements = 0;
    for (int rank = 0; rank < group_.size(); ++rank) elements += meeting_.value_of(rank);
  }
  const Access access = access_now(here(), is_write, origin_of(operation.site, elements * operation.unit));
  if (!operation.strides) return touch_anywhere(operation.dest, elements * operation.unit, access);
  const auto* const dest = static_cast<const char*>(operation.dest);
  const ptrdiff_t step = operation.strides->dest * static_cast<ptrdiff_t>(operation.unit);
  for (size_t i = 0; i < elements; ++i)
    touch_anywhere(dest + static_cast<ptrdiff_t>(i) * step, operation.unit, access);
}

}  // namespace atrium::race
