// Draws a random job from a seed: its machine, its disturbances, and what the PEs do step by step.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <iterator>

#include "coll/alltoall/alltoall.hpp"
#include "coll/barrier/barrier.hpp"
#include "coll/broadcast/broadcast.hpp"
#include "coll/collect/collect.hpp"
#include "coll/reduce/reduce.hpp"
#include "coll/scan/scan.hpp"
#include "sim/random_job.hpp"

namespace atrium::sim {
namespace {

constexpr size_t bytes_of_all = size_t{1} << 20,
                 seldom_bytes_of_all = size_t{8} << 20;  // that one step may move, all PEs together
constexpr size_t most_block = size_t{1} << 20;
constexpr size_t line_pair = 128;

std::vector<int> places_per_node(Random& random, const Limits& limits) {
  const int nodes = static_cast<int>(random.magnitude(1, limits.nodes));
  std::vector<int> places(static_cast<size_t>(nodes), static_cast<int>(random.between(1, limits.places)));
  if (random.chance(0.3))
    for (int& here : places) here = static_cast<int>(random.between(1, limits.places));
  return places;
}

// In blocks, in turn, or anyhow.
std::vector<int> draw_placement(Random& random, const Limits& limits) {
  std::vector<int> left = places_per_node(random, limits), nodes;
  const int64_t order = random.between(0, 4);
  for (size_t node = 0; node < left.size(); ++node)
    nodes.insert(nodes.end(), static_cast<size_t>(left[node]), static_cast<int>(node));
  if (order == 1) {
    nodes.clear();
    for (bool any = true; any;) {
      any = false;
      for (size_t node = 0; node < left.size(); ++node)
        if (left[node] > 0) --left[node], any = true, nodes.push_back(static_cast<int>(node));
    }
  } else if (order == 2) {
    for (size_t i = nodes.size(); i > 1; --i) std::swap(nodes[i - 1], nodes[random.next() % i]);
  }
  return nodes;
}

Disturbances draw_disturbances(Random& random, uint64_t seed) {
  Disturbances disturbances;
  disturbances.seed = seed;
  const double chances[] = {0, 0.02, 0.2, 0.8}, refusals[] = {0, 0, 0.02, 0.3};
  disturbances.delays = random.one_of(chances);
  disturbances.most_delay = random.magnitude(microsecond, 5000 * microsecond);
  disturbances.refusal = random.one_of(refusals);
  disturbances.sends_after_writes = random.chance(0.5);
  return disturbances;
}

// One of those that are not meant for many PEs may send from everybody to everybody. Then each pair of endpoints has its messages
// under way, about 50 KiB: 3 GiB with a thousand PEs that send to each other, and 12 GiB with two thousand.
double chance_of_auto(int pes) { return pes > 1000 ? 1 : pes > 150 ? 0.98 : 0.5; }

template <class Family>
std::string draw_algorithm(Random& random, const Family& family, int pes) {
  if (random.chance(chance_of_auto(pes))) return "auto";
  const auto list = family.list();
  return list[random.next() % list.size()]->name;
}

std::vector<std::string> draw_algorithms(Random& random, int pes) {
  return {draw_algorithm(random, barriers, pes),
          draw_algorithm(random, broadcasts, pes),
          draw_algorithm(random, fcollects, pes),
          draw_algorithm(random, collects, pes),
          draw_algorithm(random, alltoall_family, pes),
          draw_algorithm(random, reductions, pes),
          draw_algorithm(random, scans, pes)};
}

// Around the sizes at which something else is done as often as anywhere.
size_t draw_block(Random& random, size_t most) {
  const size_t edges[] = {0, 8, 112, 128, 2048, 4096, 8192, 16384, 65536, 131072, 262144};
  most = std::clamp<size_t>(most, 8, most_block);
  if (random.chance(0.3))
    return std::min(most, random.one_of(edges) + static_cast<size_t>(random.between(0, 1)) * 8);
  return static_cast<size_t>(random.magnitude(1, static_cast<int64_t>(most)));
}

void draw_active_set(Random& random, JobStep& step, int pes) {
  step.stride = static_cast<int>(random.between(0, 2));
  step.size = static_cast<int>(random.magnitude(1, std::max(1, pes >> step.stride)));
  step.start = static_cast<int>(random.between(0, pes - 1 - (step.size - 1) * (1 << step.stride)));
}

void draw_split(Random& random, JobStep& step, int pes) {
  step.stride = static_cast<int>(random.magnitude(1, std::max(1, pes / 2)));
  step.size = static_cast<int>(random.magnitude(1, 1 + (pes - 1) / step.stride));
  step.start = static_cast<int>(random.between(0, pes - 1 - (step.size - 1) * step.stride));
  if (step.kind == Kind::split_2d) step.size = static_cast<int>(random.magnitude(1, pes));  // columns
}

// How much there is of source and dest, on teams of up to `pes` members.
void size_arrays(Random& random, JobStep& step, size_t pes) {
  const auto set = [&](size_t source, size_t dest) { step.source_bytes = source, step.dest_bytes = dest; };
  const size_t all = random.chance(0.1) ? seldom_bytes_of_all : bytes_of_all;
  const size_t of_pair = all / (pes * pes), of_pe = all / pes;
  switch (step.kind) {
    case Kind::barrier:
      return set(8, 8);
    case Kind::broadcast:
      step.n = draw_block(random, of_pe);
      return set(step.n, step.n);
    case Kind::fcollect:
    case Kind::collect:
      step.n = draw_block(random, of_pair);
      return set(step.n, step.n * pes);
    case Kind::alltoall:
      step.n = draw_block(random, of_pair);
      return set(step.n * pes, step.n * pes);
    case Kind::alltoalls: {
      step.dest_stride = random.between(1, 3), step.source_stride = random.between(1, 3);
      step.n = draw_block(random, of_pair / 8) / 8 + 1;  // elements of 4 bytes
      return set(4 * step.n * pes * static_cast<size_t>(step.source_stride),
                 4 * step.n * pes * static_cast<size_t>(step.dest_stride));
    }
    case Kind::reduce:
    case Kind::inscan:
    case Kind::exscan:
      step.n = draw_block(random, of_pe) / step.arithmetic->element;
      step.in_place = random.chance(0.2);
      return set(step.n * step.arithmetic->element, step.in_place ? 0 : step.n * step.arithmetic->element);
    default:
      return;
  }
}

JobStep draw_step(Random& random, int pes) {
  JobStep step;
  step.kind = static_cast<Kind>(random.between(0, drawn_kinds - 1));
  const On choices[] = {On::world, On::world, On::world,  On::node,
                        On::split, On::row,   On::column, On::active_set};
  step.on = random.one_of(choices);
  step.key = random.next();
  step.root = static_cast<int>(random.between(0, pes - 1));
  step.arithmetic = &random.one_of(arithmetics);
  const bool scans = step.kind == Kind::inscan || step.kind == Kind::exscan;
  while (scans && !step.arithmetic->inclusive) step.arithmetic = &random.one_of(arithmetics);
  if (step.on == On::active_set) draw_active_set(random, step, pes);
  if (step.kind == Kind::split_strided || step.kind == Kind::split_2d)
    step.on = On::world, draw_split(random, step, pes);
  size_arrays(random, step, static_cast<size_t>(pes));
  return step;
}

bool makes_teams(const JobStep& step) {
  return step.kind == Kind::split_strided || step.kind == Kind::split_2d;
}

JobStep draw_step_on_nested(Random& random, int pes) {
  JobStep step = draw_step(random, pes);
  while (makes_teams(step)) step = draw_step(random, pes);
  step.on = On::nested;
  return step;
}

// Teams of teams, also backwards, and collectives on them. They come last, and from numbers of their own, so that a seed's other
// steps stay what they were.
std::vector<JobStep> draw_nested(Random random, int pes) {
  std::vector<JobStep> steps;
  if (random.chance(0.5)) return steps;
  JobStep grid;
  grid.kind = Kind::split_2d;
  draw_split(random, grid, pes);
  steps.push_back(grid);
  for (int teams = 0; teams < 2; ++teams) {
    const On parents[] = {On::world, On::node, On::split, On::row, On::column, On::row, On::column};
    JobStep team;
    team.kind = Kind::split_again;
    team.on = random.one_of(parents);
    for (int* number : {&team.start, &team.stride, &team.size})
      *number = static_cast<int>(random.between(0, 1'000'000));
    team.backwards = random.chance(0.5);
    steps.push_back(team);
    for (int64_t left = random.between(1, 4); left > 0; --left)
      steps.push_back(draw_step_on_nested(random, pes));
  }
  return steps;
}

}  // namespace

RandomJob draw_job(uint64_t seed, const Limits& limits) {
  Random random(seed);
  RandomJob plan;
  plan.seed = seed;
  plan.shape.nodes = draw_placement(random, limits);
  const int endpoints[] = {1, 2, 4, 8}, domains[] = {1, 1, 2, 3};
  const char* const leaders[] = {"", "", "1", "2", "8"};
  plan.shape.endpoints = random.one_of(endpoints);
  plan.shape.domains = random.one_of(domains);
  plan.leaders = random.one_of(leaders);
  plan.disturbances = draw_disturbances(random, seed);
  plan.forced = draw_algorithms(random, plan.shape.pes());
  size_t heap = 0;
  const auto room_for = [&heap](size_t bytes) {
    return std::exchange(heap, heap + (bytes + 2 * line_pair - 1) / line_pair * line_pair);
  };
  const auto add = [&](JobStep step) {
    step.source_at = room_for(step.source_bytes);
    step.dest_at = step.in_place ? step.source_at : room_for(step.dest_bytes);
    plan.steps.push_back(step);
  };
  for (int64_t left = random.between(4, 12); left > 0; --left) add(draw_step(random, plan.shape.pes()));
  plan.is_uneven = random.chance(0.3);
  // From numbers of their own, as the nested teams.
  plan.tcp = Random(mixed(seed) + 4).chance(0.5);
  plan.shape.shares_cpus = Random(mixed(seed) + 5).chance(0.3);
  for (const JobStep& step : draw_nested(Random(mixed(seed) + 1), plan.shape.pes())) add(step);
  plan.shape.heap_bytes = heap + line_pair;
  return plan;
}

std::string describe(const RandomJob& plan) {
  const int nodes = 1 + *std::max_element(plan.shape.nodes.begin(), plan.shape.nodes.end());
  std::string text = std::to_string(plan.shape.pes()) + " PEs on " + std::to_string(nodes) + " nodes, " +
                     std::to_string(plan.shape.endpoints) + " endpoints of each at most, algorithms";
  for (const std::string& name : plan.forced) text += " " + name;
  const Disturbances& disturbances = plan.disturbances;
  return text + (plan.tcp ? ", over TCP" : "") + (plan.shape.shares_cpus ? ", CPUs are shared" : "") +
         (plan.is_uneven ? ", blocks of teams at any offsets" : "") +
         (disturbances.refusal > 0 ? ", a card that refuses" : "") +
         (disturbances.delays > 0 ? ", delays" : "") +
         (disturbances.sends_after_writes ? ", messages behind writes" : ", messages that overtake writes");
}

}  // namespace atrium::sim
