// Jobs drawn from a seed: any number of nodes, any placement, all collectives on all kinds of teams, every result checked.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "coll/select/family.hpp"
#include "core/result.hpp"
#include "sim/contents.hpp"
#include "sim/world.hpp"

namespace atrium::sim {

enum class Kind {
  barrier,
  sync,
  broadcast,
  fcollect,
  collect,
  alltoall,
  alltoalls,
  reduce,
  inscan,
  exscan,
  split_strided,
  split_2d,
  split_again
};
inline constexpr int kinds = 13, drawn_kinds = kinds - 1;  // without the last one

enum class On { world, node, split, row, column, active_set, nested };  // which team of a PE

// What all PEs do next, or the members of their teams.
struct JobStep {
  Kind kind = Kind::sync;
  On on = On::world;
  size_t n = 0;  // bytes, or elements; of a block. In a collect: the most that a PE brings
  const Arithmetic* arithmetic = nullptr;
  bool in_place = false;
  int root = 0;
  // Of a new team, or of an active set (log2 of its stride). Of a nested one numbers, of which each parent makes a shape that fits.
  int start = 0, stride = 1, size = 1;
  bool backwards = false;  // of a nested one
  ptrdiff_t dest_stride = 1, source_stride = 1;
  size_t source_at = 0, dest_at = 0;  // in the heap
  size_t source_bytes = 0, dest_bytes = 0;
  uint64_t key = 0;
};

struct RandomJob {
  uint64_t seed = 0;
  JobShape shape;
  Disturbances disturbances;
  std::string leaders;  // ATRIUM_LEADERS
  bool tcp = false;     // the rules are those for TCP
  bool is_uneven =
      false;  // PEs have allocated differently before: blocks of teams lie at other offsets on each
  std::vector<std::string>
      forced;  // an algorithm of each family, or "auto", in the order of CollectiveFamily
  std::vector<JobStep> steps;
};

struct Limits {
  int nodes = 300, places = 8;
};

RandomJob draw_job(uint64_t seed, const Limits& limits);
std::string describe(const RandomJob& plan);
// Runs it in this process, which cannot run another one. A number that two runs share if they had the same history; an Error
// says which step is wrong on which PE.
Result<uint64_t> run_job(const RandomJob& plan);

}  // namespace atrium::sim
