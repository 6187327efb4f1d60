// Finds the blocks of a persistent exchange and their places in the ranks' shares.
// SPDX-License-Identifier: BSD-3-Clause
#include "persistent/plan.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>

namespace atrium::mpi {

// Where a block will be in its sender's share.
struct Plan::Place {
  std::uint64_t begin = 0, bytes = 0;
};

namespace {

constexpr std::size_t spare = 1;  // MPICH refuses a null pointer also to a rank without neighbours

void add_cartesian(MPI_Comm comm, Partners& partners) {
  int dimensions = 0;
  PMPI_Cartdim_get(comm, &dimensions);
  for (int dimension = 0; dimension < dimensions; ++dimension) {
    int low = MPI_PROC_NULL, high = MPI_PROC_NULL;
    PMPI_Cart_shift(comm, dimension, 1, &low, &high);
    partners.sources.push_back(low), partners.sources.push_back(high);
  }
  partners.destinations = partners.sources;
}

void add_graph(MPI_Comm comm, Partners& partners) {
  int rank = 0, count = 0;
  PMPI_Comm_rank(comm, &rank);
  PMPI_Graph_neighbors_count(comm, rank, &count);
  partners.sources.resize(count);
  PMPI_Graph_neighbors(comm, rank, count, partners.sources.data());
  partners.destinations = partners.sources;
}

void add_distributed_graph(MPI_Comm comm, Partners& partners) {
  int in = 0, out = 0, is_weighted = 0;
  PMPI_Dist_graph_neighbors_count(comm, &in, &out, &is_weighted);
  partners.sources.resize(in), partners.destinations.resize(out);
  std::vector<int> in_weights(in + 1), out_weights(out + 1);
  PMPI_Dist_graph_neighbors(comm, in, partners.sources.data(),
                            is_weighted ? in_weights.data() : MPI_UNWEIGHTED, out,
                            partners.destinations.data(), is_weighted ? out_weights.data() : MPI_UNWEIGHTED);
}

// One copy for blocks that lie one behind the other on both sides.
bool follows(const PackedBlock& before, const PackedBlock& next) {
  return before.shape.contiguous && next.shape.contiguous && before.shape.type == next.shape.type &&
         before.at + before.bytes == next.at && before.place + before.bytes == next.place;
}

void append(std::vector<PackedBlock>& blocks, const PackedBlock& next) {
  if (next.bytes == 0) return;
  if (blocks.empty() || !follows(blocks.back(), next)) return blocks.push_back(next);
  blocks.back().count += next.count;
  blocks.back().bytes += next.bytes;
}

// What a program can free the type of. (A duplicate would call what the program has told the MPI of the type's attributes.)
MPI_Datatype same_elements(MPI_Datatype type) {
  MPI_Datatype made = MPI_DATATYPE_NULL;
  PMPI_Type_contiguous(1, type, &made);
  PMPI_Type_commit(&made);
  return made;
}

}  // namespace

Partners all_ranks(int size) {
  Partners partners;
  partners.destinations.resize(size);
  std::iota(partners.destinations.begin(), partners.destinations.end(), 0);
  partners.sources = partners.destinations;
  return partners;
}

Partners neighbours_in(MPI_Comm comm) {
  Partners partners{true, {}, {}};
  int topology = MPI_UNDEFINED;
  PMPI_Topo_test(comm, &topology);
  if (topology == MPI_CART) add_cartesian(comm, partners);
  if (topology == MPI_GRAPH) add_graph(comm, partners);
  if (topology == MPI_DIST_GRAPH) add_distributed_graph(comm, partners);
  return partners;
}

// A type with gaps is kept, since the program may free it.
PackedBlock Plan::describe_packed(int rank, const Block& block) {
  PackedBlock packed{rank, block.at, block.count, *block.shape, 0, block.bytes()};
  if (packed.bytes > largest_block) possible_ = false;
  if (packed.bytes > 0 && !packed.shape.contiguous) {
    packed.shape.type = same_elements(packed.shape.type);
    kept_types_.push_back(packed.shape.type);
  }
  return packed;
}

// Of an exchange with all ranks: neighbours may send themselves several blocks.
bool Plan::keeps_own_block(const CommState& state, const Exchange& exchange, const Partners& partners) {
  if (partners.are_neighbours) return false;
  const Blocks out(sending_side(exchange)), in(exchange.receive);
  const Block from = out.at(state.rank());
  const bool is_plain = from.shape->contiguous;
  const Block to = in.at(state.rank());
  if (!is_plain || !to.shape->contiguous || from.bytes() > to.bytes()) return false;
  own_ = {to.at, from.at, from.at == to.at ? 0 : from.bytes()};
  return true;
}

std::vector<Plan::Place> Plan::place_blocks(const CommState& state, const Exchange& exchange,
                                            const Partners& partners) {
  const Blocks out(sending_side(exchange));
  const bool keeps_own = keeps_own_block(state, exchange, partners);
  std::vector<Place> places(partners.destinations.size() + spare);
  for (std::size_t index = 0; index < partners.destinations.size(); ++index) {
    const int to = partners.destinations[index];
    if (to == MPI_PROC_NULL || (keeps_own && to == state.rank())) continue;
    PackedBlock next = describe_packed(state.rank(), out.at(static_cast<int>(index)));
    next.place = mine_;
    places[index] = {mine_, next.bytes};
    mine_ += next.bytes;
    append(sent_, next);
  }
  return places;
}

// From the rank behind this one on, so that not all read the same share at once.
void Plan::find_blocks(const CommState& state, const Exchange& exchange, const Partners& partners,
                       const std::vector<Place>& places) {
  const Blocks in(exchange.receive);
  for (std::size_t index = 0; index < partners.sources.size(); ++index) {
    const Place& place = places[index];
    if (partners.sources[index] == MPI_PROC_NULL || place.bytes == 0) continue;
    PackedBlock next = describe_packed(partners.sources[index], in.at(static_cast<int>(index)));
    if (place.bytes > next.bytes) possible_ = false;  // whose error it is, the MPI says
    next.place = place.begin, next.bytes = place.bytes;
    received_.push_back(next);
  }
  const auto distance = [&](const PackedBlock& each) {
    return (each.rank - state.rank() + state.size()) % state.size();
  };
  std::ranges::stable_sort(received_, {}, distance);
}

void Plan::agree(CommState& state) {
  std::uint64_t words[2] = {mine_, !possible_};
  PMPI_Allreduce(MPI_IN_PLACE, words, 2, MPI_UINT64_T, MPI_MAX, state.comm());
  share_ = words[0], possible_ = words[1] == 0;
}

// By a routine of the MPI that pairs blocks as its routine of this kind does. Where two neighbours have several connections,
// MPICH 4.0.2 pairs the blocks of MPI_Neighbor_alltoall otherwise than those of MPI_Neighbor_alltoallv; those of
// MPI_Neighbor_alltoallw it pairs like the latter, and loses some.
void Plan::exchange_places(const Exchange& exchange, const Partners& partners, const std::vector<Place>& mine,
                           std::vector<Place>& theirs) {
  constexpr int words = sizeof(Place) / sizeof(std::uint64_t);
  if (!partners.are_neighbours || exchange.routine == AlltoallRoutine::alltoall) {
    auto* const routine = partners.are_neighbours ? PMPI_Neighbor_alltoall : PMPI_Alltoall;
    routine(mine.data(), words, MPI_UINT64_T, theirs.data(), words, MPI_UINT64_T, exchange.comm);
    return;
  }
  const std::size_t most = std::max(mine.size(), theirs.size());
  const std::vector<int> counts(most, words);
  std::vector<int> places(most);
  for (std::size_t index = 0; index < most; ++index) places[index] = static_cast<int>(index) * words;
  PMPI_Neighbor_alltoallv(mine.data(), counts.data(), places.data(), MPI_UINT64_T, theirs.data(),
                          counts.data(), places.data(), MPI_UINT64_T, exchange.comm);
}

Plan::Plan(CommState& state, const Exchange& exchange, const Partners& partners) {
  const std::vector<Place> mine = place_blocks(state, exchange, partners);
  std::vector<Place> theirs(partners.sources.size() + spare);
  exchange_places(exchange, partners, mine, theirs);
  find_blocks(state, exchange, partners, theirs);
  agree(state);
}

Plan::~Plan() {
  for (MPI_Datatype& type : kept_types_) PMPI_Type_free(&type);
}

}  // namespace atrium::mpi
