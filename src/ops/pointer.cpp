// Direct pointers to symmetric objects of other PEs: shmem_ptr, shmem_team_ptr and the accessibility queries.
// SPDX-License-Identifier: BSD-3-Clause
#include "ops/pointer.hpp"

#include "arena/arena.hpp"
#include "context/context.hpp"
#include "transport/address.hpp"

namespace atrium {
namespace {

bool has_member(const Team* team, int pe) { return team && pe >= 0 && pe < team->size; }

}  // namespace

void* team_ptr(shmem_team_t team, const void* dest, int pe) {
  if (!has_member(team, pe) || !arena.is_symmetric(dest)) return nullptr;
  return team->is_here(pe) ? team->there(const_cast<void*>(dest), pe) : nullptr;
}

void* ptr(const void* dest, int pe) { return team_ptr(default_context.team, dest, pe); }

int pe_accessible(int pe) { return has_member(default_context.team, pe); }

int addr_accessible(const void* address, int pe) { return pe_accessible(pe) && arena.is_symmetric(address); }

}  // namespace atrium
