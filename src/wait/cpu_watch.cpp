// Decides by switches between threads whether another process wants the CPU, and how many switches prove it.
// SPDX-License-Identifier: BSD-3-Clause
#include "wait/cpu_watch.hpp"

#include <algorithm>

namespace atrium {
namespace {

// One in eight yields that hands over is a neighbour. Two hand-overs running are needed: services of the kernel, and the
// thread that drives this PE's endpoint, run once in a while.
constexpr int64_t weight_of_hand_over = 8, proof_of_neighbour = 12;
// A yield takes a third of a microsecond. Where it was wrong to take the CPU for mine, that cost a wait's looks, 60 to 100 us:
// so the next time is further off, up to 1 or 2 ms, of which they are a twentieth.
constexpr int64_t least_proof_of_peace = 64, most_proof_of_peace = 4096, peace_that_one_hand_over_ends = 32;
constexpr uint64_t at_once_ns = 10'000'000;
constexpr uint32_t waits_per_look_while_shared = 4, most_yields_per_look = 64;

// A slice that is given away is 3 ms and more. The neighbour is looked for again by one of them, at the least after a few per
// cent of the time, at last after a thousandth.
constexpr uint64_t slices_are_near_ns = 100'000'000;
constexpr uint64_t least_crowd_ns = 50'000'000, most_crowd_ns = 64 * least_crowd_ns;

constexpr uint64_t part_of_quota = 8;
constexpr uint64_t least_ration_ns = 1'000'000'000, most_ration_ns = 64 * least_ration_ns;

}  // namespace

bool CpuWatch::wants_wait() {
  next_look_ = 1;
  return !is_shared_ || waits_++ % waits_per_look_while_shared == 0;
}

void CpuWatch::look(uint32_t yields, uint32_t slices, const Counters& counters) {
  const auto switches = static_cast<int64_t>(counters.switches - before_.switches);
  before_ = counters;
  next_look_ = std::min(2 * next_look_, most_yields_per_look);
  look_for_computations(std::min<int64_t>(slices, switches), counters.now_ns);
  const int64_t others = int64_t{yields} - slices, handed_over = std::max<int64_t>(switches - slices, 0);
  if (is_shared_)
    look_for_peace(others, handed_over, counters.now_ns);
  else
    look_for_neighbours(others, handed_over, counters.now_ns);
}

void CpuWatch::look_for_neighbours(int64_t yields, int64_t handed_over, uint64_t now_ns) {
  evidence_ += weight_of_hand_over * handed_over - yields;
  evidence_ = std::max<int64_t>(evidence_, 0);
  if (evidence_ < proof_of_neighbour) return;
  const bool was_wrong = needed_ > 0 && now_ns - mine_since_ns_ < at_once_ns;
  needed_ = was_wrong ? std::min(2 * needed_, most_proof_of_peace) : least_proof_of_peace;
  is_shared_ = true;
  evidence_ = 0;
}

void CpuWatch::look_for_peace(int64_t yields, int64_t handed_over, uint64_t now_ns) {
  evidence_ += yields - peace_that_one_hand_over_ends * handed_over;
  evidence_ = std::max<int64_t>(evidence_, 0);
  if (evidence_ < needed_) return;
  is_shared_ = false;
  evidence_ = 0;
  mine_since_ns_ = now_ns;
}

void CpuWatch::look_for_computations(int64_t slices, uint64_t now_ns) {
  if (slices == 0) return;
  const bool comes_back = crowd_ns_ > 0 && now_ns < crowded_until_ns_ + crowd_ns_;
  const bool is_another = slice_seen_ns_ > 0 && now_ns - slice_seen_ns_ < slices_are_near_ns;
  slice_seen_ns_ = now_ns;
  if (slices == 1 && !comes_back && !is_another) return;
  crowd_ns_ = comes_back ? std::min(2 * crowd_ns_, most_crowd_ns) : least_crowd_ns;
  crowded_until_ns_ = now_ns + crowd_ns_;
}

void CpuWatch::see_quota(uint64_t throttled_ns, uint32_t pes, uint64_t now_ns) {
  const bool is_first = quota_seen_ns_ == 0;
  const uint64_t kept = throttled_ns - throttled_ns_, passed = now_ns - quota_seen_ns_;
  throttled_ns_ = throttled_ns;
  quota_seen_ns_ = now_ns;
  if (is_first) return;
  if (kept / std::max(pes, 1u) >= passed / part_of_quota) {
    if (!is_rationed_) {
      const bool comes_back = ration_ns_ > 0 && now_ns - rationed_at_ns_ < 2 * ration_ns_;
      ration_ns_ = comes_back ? std::min(2 * ration_ns_, most_ration_ns) : least_ration_ns;
    }
    is_rationed_ = true;
    rationed_at_ns_ = now_ns;
  } else if (is_rationed_ && now_ns - rationed_at_ns_ >= ration_ns_) {
    is_rationed_ = false;
  }
}

}  // namespace atrium
