// The dissemination barrier: in round r I signal the member 2^r after me and wait for the one 2^r before me.
// SPDX-License-Identifier: BSD-3-Clause
//
// log2(P) flights of a cache line and no shared word: the fastest while every PE has a CPU of its own.
#include "coll/barrier/barrier.hpp"
#include "team/disseminate.hpp"
#include "team/same_call.hpp"

namespace atrium {

static void run(Team& team, uint64_t epoch) {
  disseminate(team, &TeamBlock::rounds, epoch, [&](int next, int round) {
    if (round == 0) send_digest(team, next);
    raise(team, next, &TeamBlock::rounds, round, epoch);
  });
}

constinit const BarrierAlgorithm barrier_by::dissemination{"dissemination", run};

}  // namespace atrium
