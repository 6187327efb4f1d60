// Runs the fibers of the simulated PEs in turns, each until it waits, and moves the virtual clock.
// SPDX-License-Identifier: BSD-3-Clause
#include "sim/world.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <utility>

#include "core/log.hpp"
#include "os/page.hpp"
#include "sim/job.hpp"
#include "sim/sleeping.hpp"

namespace atrium::sim {

World* World::world_ = nullptr;

World::World(const JobShape& shape, const Costs& costs, const Disturbances& disturbances)
    : shape_(shape), costs_(costs), disturbances_(disturbances), random_(disturbances.seed) {
  world_ = this;
  sleep_by_the_clock();
  const int nodes = 1 + *std::max_element(shape.nodes.begin(), shape.nodes.end());
  pes_of_.resize(static_cast<size_t>(nodes));
  for (int pe = 0; pe < shape.pes(); ++pe)
    pes_of_[static_cast<size_t>(shape.nodes[static_cast<size_t>(pe)])].push_back(pe);
  for (const auto& pes : pes_of_) most_places_ = std::max(most_places_, pes.size());
  map_segments();
  for (int number = 0; number < shape.pes(); ++number) {
    const int node = shape.nodes[static_cast<size_t>(number)];
    const auto& neighbours = pes_of(node);
    const auto place = std::find(neighbours.begin(), neighbours.end(), number) - neighbours.begin();
    pes_.push_back(std::make_unique<Pe>(number, node, static_cast<int>(place),
                                        mixed(disturbances.seed) + static_cast<uint64_t>(number)));
  }
  stacks_ = std::make_unique<Stacks>(pes_.size());
  build_job(*this);
  for (auto& pe : pes_) {
    pe->fiber = std::make_unique<Fiber>((*stacks_)[static_cast<size_t>(pe->number)],
                                        [this, self = pe.get()] { live(*self); });
    resume_at(*pe, 0);
  }
}

void World::map_segments() {
  part_bytes_ = round_up(system_bytes_of(shape_), page_size()) + round_up(shape_.heap_bytes, page_size());
  const size_t bytes = pes_of_.size() * most_places_ * part_bytes_;
  void* memory =
      ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) fatal(system_error("cannot make the memory of the simulated nodes", "mmap"));
  ::madvise(memory, bytes, MADV_NOHUGEPAGE);  // of most parts a few pages are touched
  segments_ = static_cast<char*>(memory);
}

Pe* World::owner_of(const void* address) {
  const auto distance = static_cast<size_t>(static_cast<const char*>(address) - segments_);
  const size_t part = distance / part_bytes_, node = part / most_places_, place = part % most_places_;
  if (node >= pes_of_.size() || place >= pes_of_[node].size()) return nullptr;
  return &pe(pes_of_[node][place]);
}

// A fiber's life: programs, and between them the others are served.
void World::live(Pe& pe) {
  for (;;) {
    while (pe.done) rest();
    (*program_)(pe);
    pe.done = true;
    pe.finished = pe.clock;
    --unfinished_;
  }
}

Result<Time> World::run(const std::function<void(Pe&)>& program) {
  Time begin = clock_.now(), end = begin;
  for (auto& pe : pes_) begin = std::max(begin, pe->clock);
  program_ = &program;
  unfinished_ = shape_.pes();
  for (auto& pe : pes_) {
    pe->done = false;
    pe->clock = std::max(pe->clock, begin);
    wake(*pe, begin);
  }
  while (unfinished_ > 0 && clock_.step()) {
  }
  program_ = nullptr;
  if (unfinished_ > 0) return standstill();
  for (auto& pe : pes_) end = std::max(end, pe->finished);
  return end - begin;
}

void World::let_run(Pe& pe) {
  current_ = &pe;
  pe.clock = std::max(pe.clock, clock_.now());
  if (std::exchange(pe.asleep, false)) pe.wakes_at = never;
  ++pe.turn;
  pe.variables.put_in_place();
  pe.fiber->resume();
  current_ = nullptr;
}

void World::resume_at(Pe& pe, Time when) {
  // Two words, for which a std::function allocates nothing.
  clock_.at(when, [&pe, turn = pe.turn] {
    if (pe.turn == turn) here().let_run(pe);
  });
}

void World::wake(Pe& pe, Time when) {
  when = std::max({when, pe.clock, clock_.now()});
  if (when >= pe.wakes_at) return;
  pe.wakes_at = when;
  if (pe.asleep) resume_at(pe, when);
}

// Also until somebody wakes it, or has wanted to since it looked for a reason to stay awake.
void World::sleep_until(Time when) {
  Pe& pe = *current_;
  pe.asleep = true;
  const Time wanted =
      std::min({when, std::exchange(pe.wakes_at, never), std::exchange(pe.retries_at, never)});
  if (wanted != never) wake(pe, wanted);
  pe.fiber->stop();
}

void World::spend(Time time) {
  advance(time);
  Pe& pe = *current_;
  if (pe.clock <= clock_.next()) return;
  resume_at(pe, pe.clock);
  pe.fiber->stop();
}

// As a progress thread does.
void World::serve_and_sleep(Time until) {
  Pe& pe = *current_;
  pe.wakes_at = never;
  bool may_sleep = true;
  if (pe.endpoint && pe.endpoint->serve(may_sleep) > 0) return;
  if (!may_sleep) return;
  sleep_until(until);
  if (pe.endpoint) pe.endpoint->has_slept();
}

void World::rest() { serve_and_sleep(never); }

void World::compute(Time time) {
  for (const Time end = current_->clock + time; current_->clock < end;) serve_and_sleep(end);
}

Time World::random_delay(Random& random) const {
  if (disturbances_.most_delay == 0 || !random.chance(disturbances_.delays)) return 0;
  return random.magnitude(1, disturbances_.most_delay);
}

Error World::standstill() const {
  constexpr int listed_by_name = 5;
  std::string who;
  int listed = 0;
  for (const auto& pe : pes_) {
    if (!pe->done && ++listed <= listed_by_name)
      who += (listed > 1 ? ", " : "") + ("PE " + std::to_string(pe->number)) + " in " + pe->at;
  }
  if (listed > listed_by_name) who += " and " + std::to_string(listed - listed_by_name) + " more";
  return Error{"nothing moves any more", who + " wait for what nobody will do", "simulating a job",
               "the same seed again, in a debugger"};
}

}  // namespace atrium::sim
