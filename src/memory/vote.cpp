// Votes on the success of an allocation, which is an AND over all PEs.
// SPDX-License-Identifier: BSD-3-Clause
#include "memory/vote.hpp"

#include <cstdint>

#include "arena/arena.hpp"
#include "arena/system.hpp"
#include "coll/coll.hpp"
#include "coll/reduce/reduce.hpp"
#include "core/per_pe.hpp"
#include "team/world.hpp"

namespace atrium {
namespace {
ATRIUM_PER_PE uint32_t* ballot = nullptr;  // symmetric
}

void prepare_votes() {
  ballot = static_cast<uint32_t*>(require_system(sizeof(uint32_t), "the votes of PEs"));
}

bool all_agree(bool mine) {
  *ballot = mine;
  // Past the checks of arguments: the ballot is no memory of the program's.
  if (world_team.size > 1)
    reductions.choose(world_team, sizeof *ballot)
        .run(world_team, ballot, ballot, 1, element_loop<Op::bit_and, uint32_t>);
  const bool agreed = *ballot != 0;
  barrier_all();  // the next vote may overwrite my ballot only when all have read it
  return agreed;
}

}  // namespace atrium
