// alltoall and alltoalls: checks the call, chooses an algorithm and runs it.
// SPDX-License-Identifier: BSD-3-Clause
#include "coll/alltoall/alltoall.hpp"

#include "coll/arguments.hpp"
#include "coll/families.hpp"
#include "coll/steps/transfer.hpp"
#include "team/same_call.hpp"

namespace atrium {

namespace {

Strides strides_of(const AlltoallBlocks& blocks) {
  const auto element = static_cast<ptrdiff_t>(blocks.element);
  return {blocks.dest_stride * element, blocks.source_stride * element, blocks.element, blocks.nelems};
}

}  // namespace

void put_block(const Team& team, int member, const AlltoallBlocks& blocks, std::byte* place,
               const std::byte* source) {
  if (blocks.are_contiguous()) return put_to(team, member, place, source, blocks.bytes());
  if (team.is_here(member)) return copy_block(blocks, team.there(place, member), source);
  put_strided_away(team, member, place, source, strides_of(blocks));
}

void get_block(const Team& team, int member, const AlltoallBlocks& blocks, std::byte* dest,
               const std::byte* source) {
  if (blocks.are_contiguous()) return get_from(team, member, dest, source, blocks.bytes());
  if (team.is_here(member)) return copy_block(blocks, dest, team.there(source, member));
  get_strided_away(team, member, dest, source, strides_of(blocks));
}

namespace {

// With strides the elements of one may lie between those of the other.
void require_blocks_apart(const AlltoallBlocks& blocks, size_t members) {
  const size_t count = members * blocks.nelems;
  const auto step = [&](ptrdiff_t stride) { return static_cast<size_t>(stride) * blocks.element; };
  require_disjoint({"dest", blocks.dest, blocks.element, count, step(blocks.dest_stride)},
                   {"source", blocks.source, blocks.element, count, step(blocks.source_stride)},
                   Identical::refused);
}

int run_alltoall(Team& team, const AlltoallBlocks& blocks, const void* returns) {
  if (!enters(team, {CollectiveRoutine::alltoall, blocks.bytes()}, returns) || blocks.bytes() == 0) return 0;
  check_stride("dst", blocks.dest_stride);
  check_stride("sst", blocks.source_stride);
  check_buffers(blocks.dest, blocks.dest_extent(team.size), blocks.source, blocks.source_extent(team.size));
  if (checking()) require_blocks_apart(blocks, static_cast<size_t>(team.size));
  if (team.size == 1) {
    copy_block(blocks, blocks.dest, blocks.source);
  } else {
    alltoall_family.choose(team, blocks.bytes()).run(team, blocks);
  }
  return 0;
}

}  // namespace

int alltoall_bytes(Team& team, void* dest, const void* source, size_t bytes, const void* returns) {
  return run_alltoall(
      team, {static_cast<std::byte*>(dest), static_cast<const std::byte*>(source), 1, 1, bytes, 1, bytes},
      returns);
}

int alltoalls_bytes(Team& team, void* dest, const void* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems,
                    size_t element, const void* returns) {
  return run_alltoall(team,
                      {static_cast<std::byte*>(dest), static_cast<const std::byte*>(source), dst, sst, nelems,
                       element, nelems},
                      returns);
}

}  // namespace atrium
