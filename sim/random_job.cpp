// Runs the plan of a job, and looks at everything that comes out.
// SPDX-License-Identifier: BSD-3-Clause
#include "sim/random_job.hpp"

#include <cstdlib>
#include <cstring>
#include <map>
#include <optional>
#include <utility>

#include "arena/arena.hpp"
#include "coll/alltoall/alltoall.hpp"
#include "coll/barrier/barrier.hpp"
#include "coll/broadcast/broadcast.hpp"
#include "coll/collect/collect.hpp"
#include "coll/reduce/reduce.hpp"
#include "coll/scan/scan.hpp"
#include "context/context.hpp"
#include "job/need.hpp"
#include "ops/put.hpp"
#include "team/team.hpp"
#include "team/world.hpp"

namespace atrium::sim {
namespace {

constexpr int untouched = 0xa5;
constexpr size_t margin = 128;  // behind each array, which nobody may write

// What all PEs of a job share beside the library: the simulator's own memory.
struct Notes {
  const RandomJob& plan;
  std::map<std::pair<size_t, int>, int> came;  // to this barrier of the team with this first PE
  std::map<std::pair<size_t, int>, std::vector<std::vector<char>>>
      prefixes;  // by step and first PE: results by member
  std::optional<Error> error;
};

// A PE's way through the plan.
class Walk {
 public:
  Walk(Notes& notes, Pe& pe) : notes_(notes), pe_(pe) {}
  void go();

 private:
  Team* team_for(const JobStep& step);
  void do_step(size_t number);
  void make_teams(const JobStep& step);
  void split_again(const JobStep& step);
  void do_barrier(Team& team);
  void bring_source(const Team& team);
  int call(Team& team);
  bool is_right(const Team& team);
  bool gathers_right(const Team& team);
  bool exchanges_right(const Team& team);
  bool strides_right(const Team& team);
  bool sums_right(const Team& team);
  void wrong(const Team& team, const char* what);

  char* source() const { return heap() + step_->source_at; }
  char* dest() const { return heap() + step_->dest_at; }
  static char* heap() { return reinterpret_cast<char*>(arena.heap().begin); }
  Content content_of(int world_pe) const { return Content(step_->key + static_cast<uint64_t>(world_pe)); }
  Content content_of(int from, int to) const {
    return Content(mixed(step_->key + static_cast<uint64_t>(from)) + static_cast<uint64_t>(to));
  }
  // Of a collect: some bring nothing.
  size_t brings(int world_pe) const {
    const uint64_t drawn = mixed(step_->key ^ static_cast<uint64_t>(world_pe));
    return drawn % 4 == 0 ? 0 : (drawn >> 8) % (step_->n + 1);
  }
  int root_of(const Team& team) const { return step_->root % team.size; }
  bool has_dest(const Team& team) const {
    return step_->kind != Kind::broadcast || step_->on != On::active_set || team.me != root_of(team);
  }

  Notes& notes_;
  Pe& pe_;
  size_t number_ = 0;
  const JobStep* step_ = nullptr;
  shmem_team_t split_ = nullptr, row_ = nullptr, column_ = nullptr, nested_ = nullptr;
};

constexpr const char* names[kinds] = {"a barrier",        "a sync",          "a broadcast",
                                      "an fcollect",      "a collect",       "an alltoall",
                                      "an alltoalls",     "a reduction",     "an inscan",
                                      "an exscan",        "a strided split", "a split in two dimensions",
                                      "a split of a team"};

void Walk::wrong(const Team& team, const char* what) {
  if (notes_.error) return;
  std::string because = describe(notes_.plan) + ": step " + std::to_string(number_) + ", " +
                        std::to_string(step_->n) + " bytes or elements";
  if (step_->kind == Kind::reduce || step_->kind == Kind::inscan || step_->kind == Kind::exscan)
    because += std::string(" (") + step_->arithmetic->name + (step_->in_place ? ", in place)" : ")");
  because += ", member " + std::to_string(team.me) + " of " + std::to_string(team.size) +
             (team.spans_nodes ? " on several nodes" : " on one node");
  notes_.error = Error{std::string(names[static_cast<int>(step_->kind)]) + ": " + what + " on PE " +
                           std::to_string(pe_.number),
                       because, "", ""};
}

Team* Walk::team_for(const JobStep& step) {
  switch (step.on) {
    case On::world:
      return &world_team;
    case On::node:
      return &shared_team;
    case On::split:
      return split_;
    case On::row:
      return row_;
    case On::column:
      return column_;
    case On::nested:
      return nested_;
    case On::active_set:
      break;
  }
  const int distance = pe_.number - step.start, stride = 1 << step.stride;
  const bool is_member = distance >= 0 && distance % stride == 0 && distance / stride < step.size;
  return is_member ? &active_set(step.start, step.stride, step.size) : nullptr;
}

void Walk::make_teams(const JobStep& step) {
  if (step.kind == Kind::split_strided) {
    if (split_) team_destroy(std::exchange(split_, nullptr));
    if (team_split_strided(&world_team, step.start, step.stride, step.size, nullptr, 0, &split_) != 0)
      return wrong(world_team, "no team");
    const int distance = pe_.number - step.start;
    const bool is_member = distance >= 0 && distance % step.stride == 0 && distance / step.stride < step.size;
    if (is_member != (split_ != nullptr) ||
        (split_ && (split_->me != distance / step.stride || split_->size != step.size)))
      wrong(world_team, "another team");
    return;
  }
  if (row_) team_destroy(std::exchange(row_, nullptr));
  if (column_) team_destroy(std::exchange(column_, nullptr));
  if (team_split_2d(&world_team, step.size, nullptr, 0, &row_, nullptr, 0, &column_) != 0)
    return wrong(world_team, "no teams");
  if (!row_ || !column_ || row_->me != pe_.number % step.size || column_->me != pe_.number / step.size)
    wrong(world_team, "other teams");
}

// The old one has members that are not in the new one's parent.
void Walk::split_again(const JobStep& step) {
  if (nested_) team_destroy(std::exchange(nested_, nullptr));
  Team* const parent = team_for(step);
  if (!parent) return;
  const int apart = 1 + step.stride % parent->size, size = 1 + step.size % ((parent->size - 1) / apart + 1);
  const int extent = (size - 1) * apart, first = step.start % (parent->size - extent);
  const int stride = step.backwards ? -apart : apart, start = step.backwards ? first + extent : first;
  if (team_split_strided(parent, start, stride, size, nullptr, 0, &nested_) != 0)
    return wrong(*parent, "no team");
  const int distance = parent->me - start, me = distance / stride;
  const bool is_member = distance % stride == 0 && me >= 0 && me < size;
  if (is_member != (nested_ != nullptr) || (nested_ && (nested_->me != me || nested_->size != size)))
    wrong(*parent, "another team");
}

// Nobody leaves before all have come; and what was put before is there.
void Walk::do_barrier(Team& team) {
  const auto here = std::pair(number_, team.world_pe(0));
  const bool puts = step_->kind == Kind::barrier;
  const int ahead = 1 + step_->root % team.size;
  auto* const word = reinterpret_cast<uint64_t*>(dest());
  const auto value_of = [&](int member) { return mixed(step_->key + static_cast<uint64_t>(member)); };
  if (puts) p(default_context, word, value_of(team.me), team.world_pe((team.me + ahead) % team.size));
  ++notes_.came[here];
  puts ? barrier(team) : static_cast<void>(sync(team));
  if (notes_.came[here] != team.size) wrong(team, "it was left before all had come");
  if (puts && *word != value_of((team.me + 2 * team.size - ahead) % team.size))
    wrong(team, "a put was not there behind it");
}

void Walk::bring_source(const Team& team) {
  const int me = pe_.number;
  switch (step_->kind) {
    case Kind::collect:
      return content_of(me).write(source(), brings(me));
    case Kind::alltoall:
      for (int to = 0; to < team.size; ++to)
        content_of(me, team.world_pe(to)).write(source() + static_cast<size_t>(to) * step_->n, step_->n);
      return;
    case Kind::alltoalls: {
      auto* const elements = reinterpret_cast<uint32_t*>(source());
      for (int to = 0; to < team.size; ++to)
        for (size_t i = 0; i < step_->n; ++i)
          elements[static_cast<size_t>(step_->source_stride) * (static_cast<size_t>(to) * step_->n + i)] =
              static_cast<uint32_t>(content_of(me, team.world_pe(to)).word(i));
      return;
    }
    case Kind::reduce:
    case Kind::inscan:
    case Kind::exscan:
      return step_->arithmetic->write(content_of(me), source(), step_->n);
    default:
      return content_of(me).write(source(), step_->n);
  }
}

int Walk::call(Team& team) {
  auto *const to = reinterpret_cast<std::byte*>(dest()), *const from = reinterpret_cast<std::byte*>(source());
  switch (step_->kind) {
    case Kind::broadcast:
      return step_->on == On::active_set ? broadcast_others(team, to, from, step_->n, root_of(team))
                                         : broadcast(team, to, from, step_->n, root_of(team));
    case Kind::fcollect:
      return fcollect(team, to, from, step_->n);
    case Kind::collect:
      return collect(team, to, from, brings(pe_.number));
    case Kind::alltoall:
      return alltoall(team, to, from, step_->n);
    case Kind::alltoalls:
      return alltoalls(team, reinterpret_cast<uint32_t*>(to), reinterpret_cast<uint32_t*>(from),
                       step_->dest_stride, step_->source_stride, step_->n);
    case Kind::reduce:
      return step_->arithmetic->reduce(team, to, from, step_->n);
    case Kind::inscan:
      return step_->arithmetic->inclusive(team, to, from, step_->n);
    default:
      return step_->arithmetic->exclusive(team, to, from, step_->n);
  }
}

bool Walk::gathers_right(const Team& team) {
  const char* place = dest();
  for (int member = 0; member < team.size; ++member) {
    const int pe = team.world_pe(member);
    const size_t bytes = step_->kind == Kind::collect ? brings(pe) : step_->n;
    if (!content_of(pe).is_at(place, bytes)) return false;
    place += bytes;
  }
  const char* const end = dest() + step_->dest_bytes;
  return std::all_of(place, end, [](char c) { return c == static_cast<char>(untouched); });
}

bool Walk::exchanges_right(const Team& team) {
  for (int from = 0; from < team.size; ++from)
    if (!content_of(team.world_pe(from), pe_.number)
             .is_at(dest() + static_cast<size_t>(from) * step_->n, step_->n))
      return false;
  return true;
}

// Between the elements nothing may have been written.
bool Walk::strides_right(const Team& team) {
  const auto stride = static_cast<size_t>(step_->dest_stride);
  const auto* const elements = reinterpret_cast<const uint32_t*>(dest());
  uint32_t nothing;
  std::memset(&nothing, untouched, sizeof nothing);
  for (size_t i = 0; i < static_cast<size_t>(team.size) * step_->n * stride; ++i) {
    const size_t element = i / stride;
    const int from = static_cast<int>(element / step_->n);
    const uint32_t right =
        i % stride != 0
            ? nothing
            : static_cast<uint32_t>(content_of(team.world_pe(from), pe_.number).word(element % step_->n));
    if (elements[i] != right) return false;
  }
  return true;
}

bool Walk::sums_right(const Team& team) {
  const Arithmetic& arithmetic = *step_->arithmetic;
  const size_t bytes = step_->n * arithmetic.element;
  auto& prefixes = notes_.prefixes[{number_, team.world_pe(0)}];
  if (prefixes.empty()) {
    std::vector<char> sum(bytes);
    for (int member = 0; member < team.size; ++member) {
      if (member == 0)
        arithmetic.write(content_of(team.world_pe(0)), sum.data(), step_->n);
      else
        arithmetic.add(sum.data(), content_of(team.world_pe(member)), step_->n);
      if (step_->kind != Kind::reduce || member == team.size - 1) prefixes.push_back(sum);
    }
  }
  const std::vector<char> zeros(bytes);
  const auto me = static_cast<size_t>(team.me);
  const std::vector<char>& right = step_->kind == Kind::reduce   ? prefixes.back()
                                   : step_->kind == Kind::inscan ? prefixes[me]
                                   : me == 0                     ? zeros
                                                                 : prefixes[me - 1];
  return bytes == 0 || std::memcmp(dest(), right.data(), bytes) == 0;
}

bool Walk::is_right(const Team& team) {
  switch (step_->kind) {
    case Kind::broadcast:
      return !has_dest(team) || content_of(team.world_pe(root_of(team))).is_at(dest(), step_->n);
    case Kind::fcollect:
    case Kind::collect:
      return gathers_right(team);
    case Kind::alltoall:
      return exchanges_right(team);
    case Kind::alltoalls:
      return strides_right(team);
    default:
      return sums_right(team);
  }
}

void Walk::do_step(size_t number) {
  number_ = number;
  step_ = &notes_.plan.steps[number];
  pe_.at = names[static_cast<int>(step_->kind)];
  World& world = World::here();
  world.compute(world.random_delay(pe_.random));
  if (step_->kind == Kind::split_strided || step_->kind == Kind::split_2d) return make_teams(*step_);
  if (step_->kind == Kind::split_again) return split_again(*step_);
  Team* const team = team_for(*step_);
  if (!team) return;
  if (step_->kind == Kind::barrier || step_->kind == Kind::sync) return do_barrier(*team);
  bring_source(*team);
  call(*team);
  if (!is_right(*team)) wrong(*team, "a wrong result");
  if (!step_->in_place) std::memset(source(), ~untouched, step_->source_bytes);  // it is mine again
}

void Walk::go() {
  for (size_t step = 0; step < notes_.plan.steps.size(); ++step) do_step(step);
  pe_.at = "the last barrier";
  barrier_all();
  // Nothing has come later, and nothing behind an array. Of a source that is mine again nobody else may know.
  for (size_t step = 0; step < notes_.plan.steps.size(); ++step) {
    number_ = step;
    step_ = &notes_.plan.steps[step];
    const bool has_arrays =
        step_->kind != Kind::barrier && step_->kind != Kind::sync && step_->dest_bytes > 0;
    if (!has_arrays) continue;
    const char* const behind = dest() + step_->dest_bytes;
    if (!std::all_of(behind, behind + margin / 2, [](char c) { return c == static_cast<char>(untouched); }))
      wrong(world_team, "something was written behind its dest");
  }
}

template <class Family>
void force(Family& family, const std::string& name) {
  need(family.force(name));
}

void force_algorithms(const std::vector<std::string>& names) {
  force(barriers, names[0]);
  force(broadcasts, names[1]);
  force(fcollects, names[2]);
  force(collects, names[3]);
  force(alltoall_family, names[4]);
  force(reductions, names[5]);
  force(scans, names[6]);
}

// So many blocks less for teams to begin with.
void allocate_unevenly(const RandomJob& plan, int pe) {
  if (!plan.is_uneven) return;
  for (uint64_t left = mixed(plan.seed ^ mixed(static_cast<uint64_t>(pe))) % 9; left > 0; --left)
    need(take_system(8192));
}

}  // namespace

Result<uint64_t> run_job(const RandomJob& plan) {
  if (!plan.leaders.empty()) ::setenv("ATRIUM_LEADERS", plan.leaders.c_str(), 1);
  Costs costs;
  costs.tcp = plan.tcp;
  World& world = *new World(plan.shape, costs, plan.disturbances);
  force_algorithms(plan.forced);
  Notes notes{plan, {}, {}, {}};
  auto began = world.run([&](Pe& pe) {
    pe.at = "the beginning";
    allocate_unevenly(plan, pe.number);
    std::memset(arena.heap().begin, untouched, plan.shape.heap_bytes);
    sync_all();
  });
  if (!began) return began.error();
  auto ended = world.run([&](Pe& pe) { Walk(notes, pe).go(); });
  if (notes.error) return *notes.error;
  if (!ended) {
    Error error = ended.error();
    error.because = describe(plan) + ": " + error.because;
    return error;
  }
  return mixed(static_cast<uint64_t>(world.clock().now())) + world.clock().happened();
}

}  // namespace atrium::sim
