// What a collective orders between each two of its ranks.
// SPDX-License-Identifier: BSD-3-Clause
#include "race/mpi/collectives.hpp"

#include <vector>

#include "race/mpi/messages.hpp"

namespace atrium::race {
namespace {

// From this rank, and to it, by numbers on the node.
struct CollectiveEdges {
  std::vector<int> to, from;
};

// `gives`: the root gives to the others; else they give to it. Of an inter-communicator the others are the other group's.
CollectiveEdges edges_of_root(const RanksHere& group, int root, bool gives) {
  CollectiveEdges edges;
  if (root == MPI_PROC_NULL && group.is_inter) return edges;
  const bool is_root = group.is_inter ? root == MPI_ROOT : root == group.rank;
  const std::vector<int> others = is_root ? group.members : std::vector<int>{group.on_node(root)};
  (is_root == gives ? edges.to : edges.from) = others;
  return edges;
}

CollectiveEdges edges_upwards(const RanksHere& group) {
  const auto here = group.members.begin() + group.rank;
  return {{here + 1, group.members.end()}, {group.members.begin(), here}};
}

CollectiveEdges edges_of_neighbours(const RanksHere& group) {
  CollectiveEdges edges;
  for (const int rank : group.behind) edges.to.push_back(group.on_node(rank));
  for (const int rank : group.before) edges.from.push_back(group.on_node(rank));
  return edges;
}

CollectiveEdges edges_of(const MpiOperation& operation) {
  switch (operation.kind) {
    case OrderKind::from_root:
    case OrderKind::to_root:
      return edges_of_root(*operation.group, operation.from, operation.kind == OrderKind::from_root);
    case OrderKind::upwards:
      return edges_upwards(*operation.group);
    case OrderKind::neighbours:
      return edges_of_neighbours(*operation.group);
    default:
      return {};
  }
}

// What goes to one rank, or comes from one, is a letter like that of a message: who is ahead is told apart. No message has this tag.
MessageKey key_of(const MpiOperation& operation, int from) {
  return {from, -1, operation.group->name, operation.number, operation.start};
}

Common& turn_of(const MpiOperation& operation) {
  return operation.group->turn(operation.number + operation.start);
}

}  // namespace

bool is_collective(OrderKind kind) {
  switch (kind) {
    case OrderKind::meeting:
    case OrderKind::from_root:
    case OrderKind::to_root:
    case OrderKind::upwards:
    case OrderKind::neighbours:
    case OrderKind::fence:
    case OrderKind::make_window:
      return true;
    default:
      return false;
  }
}

bool is_meeting(const MpiOperation& operation) {
  switch (operation.kind) {
    case OrderKind::from_root:
    case OrderKind::to_root:
    case OrderKind::upwards:
    case OrderKind::neighbours:
      return false;
    default:
      return is_collective(operation.kind);
  }
}

// What is left for one rank is left for all, too: a letter may find no place.
void begin_collective(const Strand& strand, const MpiOperation& operation) {
  if (!operation.group) return release(strand, clocks->everyone);
  const CollectiveEdges edges = edges_of(operation);
  for (const int number : edges.to)
    if (number != elsewhere && number != job.me &&
        !mailbox(number).leave(key_of(operation, job.me), *strand.clock))
      meet(RaceLimit::full_mailbox);
  if (is_meeting(operation))
    release(strand, turn_of(operation));
  else if (!edges.to.empty())
    release(strand, operation.group->without_place());
  if (!operation.group->is_here) release(strand, clocks->everyone);
}

void end_collective(Strand& strand, const MpiOperation& operation, bool takes, uint64_t origin) {
  if (!operation.group) return acquire_from_anybody(strand, origin);
  if (!operation.group->is_here) acquire(strand, clocks->everyone, origin);
  if (is_meeting(operation)) return acquire(strand, turn_of(operation), origin);
  bool all = true;
  for (const int number : edges_of(operation).from)
    all &= number == job.me ||
           (number != elsewhere && mailbox(job.me).read(key_of(operation, number), strand, origin, takes));
  if (!all) acquire(strand, operation.group->without_place(), origin);
}

}  // namespace atrium::race
