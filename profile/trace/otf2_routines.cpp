// Derives each description from the operation that the tables of the API give for the routine.
// SPDX-License-Identifier: BSD-3-Clause
#include "profile/trace/otf2_routines.hpp"

#include <map>
#include <string_view>

namespace atrium::profile {
namespace {

using Family = Otf2Routine::Family;
using Flow = Otf2Routine::Flow;
using Completes = Otf2Routine::Completes;

Otf2Routine of_family(Family family, OTF2_RegionRole role) {
  Otf2Routine routine;
  routine.family = family;
  routine.role = role;
  return routine;
}

// As MPI has it: setting is accumulating by replacement, fetching is a fetch that adds nothing.
Otf2Routine atomic(OTF2_RmaAtomicType type, bool sends, bool receives) {
  Otf2Routine routine = of_family(Family::atomic, OTF2_REGION_ROLE_ATOMIC);
  routine.atomic = type;
  routine.sends = sends;
  routine.receives = receives;
  return routine;
}

Otf2Routine collective(OTF2_CollectiveOp operation, OTF2_RegionRole role, Flow flow) {
  Otf2Routine routine = of_family(Family::collective, role);
  routine.collective = operation;
  routine.flow = flow;
  return routine;
}

Otf2Routine completing(Completes what, Otf2Routine routine) {
  routine.completes = what;
  return routine;
}

std::map<std::string_view, Otf2Routine> make_table() {
  std::map<std::string_view, Otf2Routine> table;
  for (const char* name : {"put", "p", "iput", "ibput", "put_signal"})
    table[name] = of_family(Family::put, OTF2_REGION_ROLE_RMA);
  for (const char* name : {"get", "g", "iget", "ibget"})
    table[name] = of_family(Family::get, OTF2_REGION_ROLE_RMA);
  for (const char* name :
       {"atomic_set", "atomic_add", "atomic_and", "atomic_or", "atomic_xor", "signal_set", "signal_add"})
    table[name] = atomic(OTF2_RMA_ATOMIC_TYPE_ACCUMULATE, true, false);
  table["atomic_inc"] = atomic(OTF2_RMA_ATOMIC_TYPE_INCREMENT, false, false);
  table["atomic_fetch"] = atomic(OTF2_RMA_ATOMIC_TYPE_FETCH_AND_ACCUMULATE, false, true);
  table["atomic_fetch_inc"] = atomic(OTF2_RMA_ATOMIC_TYPE_FETCH_AND_INCREMENT, false, true);
  table["atomic_fetch_add"] = atomic(OTF2_RMA_ATOMIC_TYPE_FETCH_AND_ADD, true, true);
  for (const char* name : {"atomic_fetch_and", "atomic_fetch_or", "atomic_fetch_xor"})
    table[name] = atomic(OTF2_RMA_ATOMIC_TYPE_FETCH_AND_ACCUMULATE, true, true);
  table["atomic_swap"] = atomic(OTF2_RMA_ATOMIC_TYPE_SWAP, true, true);
  table["atomic_compare_swap"] = atomic(OTF2_RMA_ATOMIC_TYPE_COMPARE_AND_SWAP, true, true);

  for (const char* name :
       {"wait_until", "signal_wait_until", "wait_until_all", "wait_until_any", "wait_until_some",
        "wait_until_all_vector", "wait_until_any_vector", "wait_until_some_vector"})
    table[name] = of_family(Family::wait, OTF2_REGION_ROLE_POINT2POINT);
  table["quiet"] = completing(Completes::its_context, of_family(Family::quiet, OTF2_REGION_ROLE_RMA));
  for (const char* name : {"pe_quiet", "fence"}) table[name] = of_family(Family::other, OTF2_REGION_ROLE_RMA);

  for (const char* name : {"barrier", "barrier_all"})
    table[name] = completing(Completes::its_context,
                             collective(OTF2_COLLECTIVE_OP_BARRIER, OTF2_REGION_ROLE_BARRIER, Flow::nothing));
  for (const char* name : {"sync", "sync_all"})
    table[name] = collective(OTF2_COLLECTIVE_OP_BARRIER, OTF2_REGION_ROLE_BARRIER, Flow::nothing);
  table["finalize"] =
      completing(Completes::everything,
                 collective(OTF2_COLLECTIVE_OP_BARRIER, OTF2_REGION_ROLE_COLL_OTHER, Flow::nothing));
  for (const char* name : {"broadcast", "broadcast_others"})
    table[name] = collective(OTF2_COLLECTIVE_OP_BCAST, OTF2_REGION_ROLE_COLL_ONE2ALL, Flow::from_root);
  for (const char* name : {"alltoall", "alltoalls"})
    table[name] = collective(OTF2_COLLECTIVE_OP_ALLTOALL, OTF2_REGION_ROLE_COLL_ALL2ALL, Flow::mine);
  table["reduce"] = collective(OTF2_COLLECTIVE_OP_ALLREDUCE, OTF2_REGION_ROLE_COLL_ALL2ALL, Flow::mine);
  table["inscan"] = collective(OTF2_COLLECTIVE_OP_SCAN, OTF2_REGION_ROLE_COLL_OTHER, Flow::mine);
  table["exscan"] = collective(OTF2_COLLECTIVE_OP_EXSCAN, OTF2_REGION_ROLE_COLL_OTHER, Flow::mine);
  table["fcollect"] =
      collective(OTF2_COLLECTIVE_OP_ALLGATHER, OTF2_REGION_ROLE_COLL_ALL2ALL, Flow::everybodys);
  table["collect"] =
      collective(OTF2_COLLECTIVE_OP_ALLGATHERV, OTF2_REGION_ROLE_COLL_ALL2ALL, Flow::everybodys);
  for (const char* name : {"team_split_strided", "team_split_2d"})
    table[name] = collective(OTF2_COLLECTIVE_OP_CREATE_HANDLE, OTF2_REGION_ROLE_COLL_OTHER, Flow::nothing);
  for (const char* name :
       {"symmetric_malloc", "symmetric_align", "symmetric_malloc_with_hints", "symmetric_calloc"})
    table[name] = collective(OTF2_COLLECTIVE_OP_ALLOCATE, OTF2_REGION_ROLE_ALLOCATE, Flow::nothing);
  table["symmetric_realloc"] =
      collective(OTF2_COLLECTIVE_OP_ALLOCATE, OTF2_REGION_ROLE_REALLOCATE, Flow::nothing);
  table["symmetric_free"] =
      collective(OTF2_COLLECTIVE_OP_DEALLOCATE, OTF2_REGION_ROLE_DEALLOCATE, Flow::nothing);
  return table;
}

}  // namespace

Otf2Routine otf2_routine(interpose::Routine routine) {
  static const auto table = make_table();
  std::string_view operation = interpose::operation_of(routine);
  const bool non_blocking = operation.ends_with("_nbi");
  if (non_blocking) operation.remove_suffix(4);
  const auto found = table.find(operation);
  if (found == table.end()) return {};
  Otf2Routine result = found->second;
  result.non_blocking = non_blocking;
  result.on_context = std::string_view(interpose::name_of(routine)).starts_with("shmem_ctx_");
  return result;
}

}  // namespace atrium::profile
