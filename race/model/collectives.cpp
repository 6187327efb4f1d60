// What barriers and data collectives order, and which memory they read and write.
// SPDX-License-Identifier: BSD-3-Clause
//
// A member's accesses come after it has left its clock for the others, and what it wrote is noted after it has heard
// those whose data it has: so the others' earlier uses of its buffers, which they completed before they entered, precede.
#include "race/model/collectives.hpp"

#include <new>

#include "race/model/access.hpp"
#include "race/model/order.hpp"

namespace atrium::race {
namespace {

Meeting& meeting_in(unsigned char* memory) { return *std::launder(reinterpret_cast<Meeting*>(memory)); }

void hear(Meeting& meeting, const Group& group, Flow flow, int root) {
  if (job.strict) return;
  if (flow == Flow::from_root) return meeting.hear(root);
  const int end = flow == Flow::lower ? group.rank : group.size;
  for (int rank = 0; rank < end; ++rank) meeting.hear(rank);
}

}  // namespace

static_assert(sizeof(Meeting) <= 192);

CollectiveUse::CollectiveUse(const Site& site, const Group& group, Flow flow, int root, const void* source,
                             size_t source_bytes, uint64_t value)
    : site_(site), group_(group), flow_(flow), root_(root) {
  Strand& strand = here();
  const Origin origin = origin_of(site, source_bytes);
  new (meeting_) Meeting(strand, group, origin, value);
  if (source) touch_anywhere(source, source_bytes, access_now(strand, is_read, origin));
}

CollectiveUse::~CollectiveUse() {
  hear_others();
  meeting_in(meeting_).~Meeting();
}

void CollectiveUse::hear_others() {
  if (!heard_) hear(meeting_in(meeting_), group_, flow_, root_);
  heard_ = true;
}

void CollectiveUse::wrote(const void* dest, size_t bytes) {
  hear_others();
  touch_anywhere(dest, bytes, access_now(here(), is_write, origin_of(site_, bytes)));
}

void CollectiveUse::wrote_strided(const void* dest, ptrdiff_t stride, size_t block, size_t count,
                                  size_t unit) {
  hear_others();
  const Access access = access_now(here(), is_write, origin_of(site_, block * count * unit));
  for (size_t i = 0; i < count; ++i)
    touch_anywhere(
        static_cast<const char*>(dest) + static_cast<ptrdiff_t>(i) * stride * static_cast<ptrdiff_t>(unit),
        block * unit, access);
}

uint64_t CollectiveUse::sum_of_values() {
  uint64_t sum = 0;
  for (int rank = 0; rank < group_.size; ++rank) sum += meeting_in(meeting_).value_of(rank);
  return sum;
}

BarrierUse::BarrierUse(const Site& site, const Group& group, bool completes)
    : used_(working && group.meeting >= 0) {
  if (!used_) return;
  Strand& strand = here();
  if (completes) complete_context(strand, context_of(SHMEM_CTX_DEFAULT));
  new (meeting_) Meeting(strand, group, origin_of(site, 0));
}

BarrierUse::~BarrierUse() {
  if (!used_) return;
  meeting_in(meeting_).hear_all();
  meeting_in(meeting_).~Meeting();
}

}  // namespace atrium::race
