// The programs of measurements, each with a check of what came out.
// SPDX-License-Identifier: BSD-3-Clause
#include "sim/measure.hpp"

#include <algorithm>
#include <cstring>
#include <map>

#include "arena/arena.hpp"
#include "coll/coll.hpp"
#include "core/log.hpp"
#include "sim/own_process.hpp"
#include "sim/work.hpp"
#include "team/same_call.hpp"
#include "team/world.hpp"

namespace atrium::sim {
namespace {

struct Arrays {
  int64_t *source, *dest;
  size_t n;      // elements of a block
  size_t bytes;  // of a block
  int round;
};

// Calls it; whether the result is right.
using Collective = bool (*)(const Arrays& arrays, int me, int pes);

bool run_barrier(const Arrays&, int, int) {
  sync_all();
  return true;
}

// What a collective allocation does besides its own PE's part of it.
bool run_allocation(const Arrays&, int, int) {
  const CallAtMeeting announced(world_team, {CollectiveRoutine::allocation, 64}, nullptr);
  sync_all();
  announced.compare();
  return true;
}

// One that nobody has used before: each is smaller by a PE than the one before it.
bool run_new_active_set(const Arrays& a, int me, int pes) {
  const int size = pes - a.round;
  if (me < size) sync(active_set(0, 0, size));
  return true;
}

// Everybody in a team, which is destroyed again.
bool run_split(const Arrays&, int, int pes) {
  shmem_team_t team = SHMEM_TEAM_INVALID;
  if (team_split_strided(&world_team, 0, 1, pes, nullptr, 0, &team) != 0) return false;
  team_destroy(team);
  return true;
}

// The root may be in the next ones already, whose data then lie in dest.
bool run_broadcast(const Arrays& a, int me, int) {
  std::fill_n(a.source, a.n, me == 0 ? 42 + a.round : -1);
  broadcast(world_team, a.dest, a.source, a.n, 0);
  return a.dest[0] >= 42 + a.round && a.dest[a.n - 1] >= 42 + a.round;
}

// Where several broadcasts run into each other, how many go in one message depends on who is late.
bool run_broadcast_apart(const Arrays& a, int me, int pes) {
  const bool right = run_broadcast(a, me, pes);
  sync_all();
  return right;
}

bool run_sum(const Arrays& a, int me, int pes) {
  std::fill_n(a.source, a.n, me + 1);
  reduce_elements(world_team, a.dest, a.source, a.n, charged_loop<Op::sum, int64_t>, nullptr);
  const int64_t sum = int64_t{pes} * (pes + 1) / 2;
  return a.dest[0] == sum && a.dest[a.n - 1] == sum;
}

// The sum of 1 ... last.
bool scans(const Arrays& a, int me, Scan scan, int64_t last) {
  std::fill_n(a.source, a.n, me + 1);
  scan_elements(world_team, a.dest, a.source, a.n, charged_loop<Op::sum, int64_t>, scan, nullptr);
  const int64_t sum = last * (last + 1) / 2;
  return a.dest[0] == sum && a.dest[a.n - 1] == sum;
}

bool run_scan(const Arrays& a, int me, int) { return scans(a, me, Scan::inclusive, me + 1); }
bool run_exscan(const Arrays& a, int me, int) { return scans(a, me, Scan::exclusive, me); }

// Of as many elements as have those bytes.
template <class Element, class Gather>
bool gathers(const Arrays& a, int me, int pes, Gather gather) {
  auto *const source = reinterpret_cast<Element*>(a.source), *const dest = reinterpret_cast<Element*>(a.dest);
  const size_t n = a.bytes / sizeof(Element);
  std::fill_n(source, n, static_cast<Element>(me + 7));
  gather(world_team, dest, source, n);
  for (int pe = 0; pe < pes; ++pe)
    if (dest[static_cast<size_t>(pe) * n] != static_cast<Element>(pe + 7)) return false;
  return true;
}

bool run_fcollect(const Arrays& a, int me, int pes) {
  if (a.bytes < sizeof(int64_t)) return gathers<uint8_t>(a, me, pes, fcollect<uint8_t>);
  return gathers<int64_t>(a, me, pes, fcollect<int64_t>);
}

bool run_collect(const Arrays& a, int me, int pes) {
  if (a.bytes < sizeof(int64_t)) return gathers<uint8_t>(a, me, pes, collect<uint8_t>);
  return gathers<int64_t>(a, me, pes, collect<int64_t>);
}

// Of one PE in three a whole block, of the next one nothing, of the third one half of one.
bool run_collect_uneven(const Arrays& a, int me, int pes) {
  const auto count_of = [&](int pe) { return a.n * static_cast<size_t>((pe + 2) % 3) / 2; };
  std::fill_n(a.source, a.n, me + 7);
  collect(world_team, a.dest, a.source, count_of(me));
  const int64_t* block = a.dest;
  for (int pe = 0; pe < pes; block += count_of(pe++))
    if (count_of(pe) > 0 && (block[0] != pe + 7 || block[count_of(pe) - 1] != pe + 7)) return false;
  return true;
}

bool run_alltoall(const Arrays& a, int me, int pes) {
  for (int pe = 0; pe < pes; ++pe)
    std::fill_n(a.source + static_cast<size_t>(pe) * a.n, a.n, int64_t{me} << 32 | pe);
  alltoall(world_team, a.dest, a.source, a.n);
  for (int pe = 0; pe < pes; ++pe)
    if (a.dest[static_cast<size_t>(pe) * a.n] != (int64_t{pe} << 32 | me)) return false;
  return true;
}

const std::map<std::string, Collective>& by_name() {
  static const std::map<std::string, Collective> all{{"barrier", run_barrier},
                                                     {"allocation", run_allocation},
                                                     {"new_active_set", run_new_active_set},
                                                     {"split", run_split},
                                                     {"broadcast", run_broadcast},
                                                     {"sum", run_sum},
                                                     {"scan", run_scan},
                                                     {"exscan", run_exscan},
                                                     {"fcollect", run_fcollect},
                                                     {"collect", run_collect},
                                                     {"collect_uneven", run_collect_uneven},
                                                     {"alltoall", run_alltoall},
                                                     {"broadcast_apart", run_broadcast_apart}};
  return all;
}

Sent sum_of(World& world) {
  Sent all;
  for (auto& pe : world.pes()) {
    all.messages += pe->sent.messages;
    all.transfers += pe->sent.transfers;
    all.bytes += pe->sent.bytes;
    all.bare += pe->sent.bare;
    pe->sent = {};
  }
  return all;
}

size_t most_partners(World& world) {
  size_t most = 0;
  for (auto& pe : world.pes()) most = std::max(most, pe->partners.size());
  return most;
}

bool gathers_all(const MeasureRequest& wanted) {
  return wanted.collective.find("collect") != std::string::npos;
}
bool gathers_bytes(const MeasureRequest& wanted) { return wanted.collective.ends_with("collect"); }

size_t elements(const MeasureRequest& wanted) { return std::max<size_t>(1, wanted.bytes / sizeof(int64_t)); }
size_t block_bytes(const MeasureRequest& wanted) {
  return gathers_bytes(wanted) ? wanted.bytes : elements(wanted) * sizeof(int64_t);
}

}  // namespace

std::vector<std::string> collectives_to_measure() {
  std::vector<std::string> names;
  for (const auto& [name, run] : by_name()) names.push_back(name);
  return names;
}

size_t heap_for(const MeasureRequest& wanted, int pes) {
  const bool many = wanted.collective == "alltoall";
  const auto all = static_cast<size_t>(pes);
  return block_bytes(wanted) * ((many ? all : 1) + (many || gathers_all(wanted) ? all : 1)) + 4096;
}

Result<Figures> measure(World& world, const MeasureRequest& wanted) {
  const auto found = by_name().find(wanted.collective);
  if (found == by_name().end()) {
    std::string names;
    for (const auto& name : collectives_to_measure()) names += (names.empty() ? "" : ", ") + name;
    return Error{"there is no collective \"" + wanted.collective + "\"", "", "simulating", names};
  }
  const int pes = world.shape().pes();
  const size_t n = elements(wanted), blocks = wanted.collective == "alltoall" ? static_cast<size_t>(pes) : 1;
  int wrong = -1;
  const auto repeat = [&](int first, int rounds) {
    return world.run([&, first, rounds](Pe& pe) {
      auto* const heap = reinterpret_cast<int64_t*>(arena.heap().begin);
      pe.at = found->first.c_str();
      for (int i = first; i < first + rounds; ++i)
        if (!found->second({heap, heap + n * blocks, n, block_bytes(wanted), i}, pe.number, pes))
          wrong = pe.number;
    });
  };
  if (!wanted.schedule.empty()) world.keep_schedule();
  for (auto& pe : world.pes()) pe->partners.clear();
  auto first = repeat(0, 1);
  if (!first) return first.error();
  sum_of(world);
  auto time = repeat(1, wanted.rounds);
  if (!time) return time.error();
  if (wrong >= 0)
    return Error{"a " + wanted.collective + " has a wrong result on PE " + std::to_string(wrong), "",
                 "simulating", ""};
  if (world.schedule())
    if (auto written = world.schedule()->write_to(wanted.schedule, *first + *time); !written)
      return written.error();
  const Sent sent = sum_of(world);
  const double each = 1.0 / wanted.rounds / world.nodes();
  return Figures{static_cast<double>(*time) / microsecond / wanted.rounds,
                 static_cast<double>(sent.messages) * each,
                 static_cast<double>(sent.transfers) * each,
                 static_cast<double>(sent.bytes) * each,
                 static_cast<double>(sent.bare) * each,
                 most_partners(world)};
}

JobShape blocks_of(int nodes, int places, int endpoints, int larger) {
  JobShape shape;
  for (int node = 0; node < nodes; ++node)
    shape.nodes.insert(shape.nodes.end(), static_cast<size_t>(places + (node < larger)), node);
  shape.endpoints = endpoints;
  return shape;
}

Result<std::vector<Figures>> measure_all_on(JobShape shape, const Costs& costs,
                                            const std::vector<MeasureRequest>& wanted) {
  shape.heap_bytes = 0;
  for (const MeasureRequest& one : wanted)
    shape.heap_bytes = std::max(shape.heap_bytes, heap_for(one, shape.pes()));
  auto answer = in_own_process("the " + wanted.front().collective, [&] {
    World& world = *new World(shape, costs, Disturbances{});
    std::string all;
    for (const MeasureRequest& one : wanted) {
      auto figures = measure(world, one);
      if (!figures) fatal(figures.error());
      all.append(reinterpret_cast<const char*>(&*figures), sizeof(Figures));
    }
    return all;
  });
  if (!answer) return answer.error();
  std::vector<Figures> figures(wanted.size());
  std::memcpy(figures.data(), answer->data(), answer->size());
  return figures;
}

Result<Figures> measure_on(const JobShape& shape, const Costs& costs, const MeasureRequest& wanted) {
  auto figures = measure_all_on(shape, costs, {wanted});
  if (!figures) return figures.error();
  return figures->front();
}

}  // namespace atrium::sim
