// alltoall and alltoalls: choose and run.
// SPDX-License-Identifier: BSD-3-Clause
#include "coll/alltoall/alltoall.hpp"

#include "coll/arguments.hpp"
#include "coll/families.hpp"
#include "coll/same_call.hpp"

namespace atrium {
namespace {

int run_alltoall(Team& team, const Blocks& blocks) {
  require_same_call(team, {Routine::alltoall, blocks.bytes()});
  if (blocks.bytes() == 0) return 0;
  check_stride("dst", blocks.dest_stride);
  check_stride("sst", blocks.source_stride);
  check_buffers(blocks.dest, blocks.dest_extent(team.size), blocks.source, blocks.source_extent(team.size));
  if (team.size == 1) {
    copy_block(blocks, blocks.dest, blocks.source);
  } else {
    alltoall_family.choose(team, blocks.bytes()).run(team, blocks);
  }
  return 0;
}

}  // namespace

int alltoall_bytes(Team& team, void* dest, const void* source, size_t bytes) {
  return run_alltoall(team,
                      {static_cast<std::byte*>(dest), static_cast<const std::byte*>(source), 1, 1, bytes, 1});
}

int alltoalls_bytes(Team& team, void* dest, const void* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems,
                    size_t element) {
  return run_alltoall(team, {static_cast<std::byte*>(dest), static_cast<const std::byte*>(source), dst, sst,
                             nelems, element});
}

}  // namespace atrium
