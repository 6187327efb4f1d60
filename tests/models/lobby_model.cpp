// Where PEs meet before they share anything else (src/lobby): nobody leaves a barrier early, the plan is read whole.
// SPDX-License-Identifier: BSD-3-Clause
//
// Models: SYNC lobby-barrier
#include "model.hpp"
#define private public  // a visit without a descriptor to map
#include "lobby/visit.cpp"
#undef private

namespace atrium {
namespace {

template <int pes>
struct Job {
  Job() { lobby.places = pes; }
  Lobby lobby;
  PeSlot slots[pes];  // behind the lobby, as in the real one
  long told[pes] = {};
};

// Each PE tells something, and everybody reads it after a barrier; after the next one it may be changed.
template <int pes, int barriers>
void meet(Job<pes>& job, int thread) {
  LobbyVisit visit(&job.lobby, thread);
  long& mine = job.told[thread];
  model::plain_write(&mine, sizeof mine);
  mine = 1;
  visit.barrier();
  for (const long& told : job.told) {
    model::plain_read(&told, sizeof told);
    MODEL_REQUIRE(told == 1);
  }
  if (barriers == 1) return;
  visit.barrier();
  model::plain_write(&mine, sizeof mine);
  mine = 2;
}

void the_plan_is_read_whole(Job<3>& job, int thread) {
  LobbyVisit visit(&job.lobby, thread);
  if (thread == 0) {
    model::plain_write(&job.lobby.plan, sizeof job.lobby.plan);
    SegmentPlan plan{};
    plan.heap_size = 7;
    visit.publish_plan(plan);
  } else {
    const SegmentPlan& plan = visit.await_plan();
    model::plain_read(&plan, sizeof plan);
    MODEL_REQUIRE(plan.heap_size == 7);
  }
}

}  // namespace
}  // namespace atrium

int main(int argc, char** argv) {
  using namespace atrium;
  return model::explore_all({model::scenario<Job<2>>("two PEs meet twice", 2, meet<2, 2>),
                             model::scenario<Job<3>>("three PEs meet", 3, meet<3, 1>),
                             model::scenario<Job<3>>("the plan is read whole", 3, the_plan_is_read_whole)},
                            {}, argc, argv);
}
