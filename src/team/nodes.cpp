// Makes the hidden teams of a team that spans nodes.
// SPDX-License-Identifier: BSD-3-Clause
#include "team/nodes.hpp"

#include <algorithm>
#include <utility>

#include "team/draft.hpp"
#include "team/leader_count.hpp"
#include "topology/placement.hpp"
#include "wire/protocol.hpp"

namespace atrium {
namespace {

static_assert(most_in_a_record == largest_payload);
static_assert(most_by_copy == put_by_copy);

constexpr size_t line_pair = 128;

constexpr size_t whole_lines(size_t bytes) { return (bytes + line_pair - 1) / line_pair * line_pair; }

// Of a team or of a hidden one, which may be smaller than the whole, and then has slots for exchanges that the whole has not.
size_t slots_bytes(int members) { return exchange_bytes(std::min(members, most_exchange_members)); }
size_t hidden_block_bytes(int members) { return whole_lines(sizeof(TeamBlock) + slots_bytes(members)); }
size_t own_block_bytes(int members) { return whole_lines(sizeof(TeamBlock) + exchange_bytes(members)); }

constexpr int kinds_of_flags = 6;

size_t flags_bytes(int nodes) {
  return whole_lines(kinds_of_flags * static_cast<size_t>(nodes) * sizeof(Epoch));
}

size_t boards_bytes(int nodes) { return 2 * static_cast<size_t>(nodes) * sizeof(NodePublication); }

// Behind the block of a leaders' team.
size_t buffer_at(int nodes) { return flags_bytes(nodes); }
size_t area_at(int nodes) { return buffer_at(nodes) + leader_buffer_bytes; }
size_t board_at(int nodes) { return area_at(nodes) + 2 * area_bytes; }

// So many members from this one on are on its node, without a gap. As far as one look at the placement tells.
int run_of_members(const Team& team, int member) {
  if (team.listed || team.stride < 0) return 1;
  const int run = placement.run_from(team.world_pe(member));
  return std::min((run + team.stride - 1) / team.stride, team.size - member);
}

// Nodes are numbered by their lowest members.
Placement members_on_nodes(const Team& team) {
  const bool is_world = team.size == placement.pes() && !team.listed && team.stride == 1;
  if (is_world && placement.nodes_appear_in_order()) return placement;
  Placement::Builder members;
  std::vector<int> numbers(static_cast<size_t>(placement.nodes()), -1);
  int nodes = 0;
  for (int member = 0, run; member < team.size; member += run) {
    int& number = numbers[static_cast<size_t>(placement.node_of(team.world_pe(member)))];
    if (number < 0) number = nodes++;
    run = run_of_members(team, member);
    members.add(number, run);
  }
  return members.seen_by(team.me);
}

// `members` in the numbers of the whole; the block of each lies `offset` behind its block of the whole.
template <class Members>
void make_hidden(const Team& whole, const Members& members, size_t offset, Team& hidden,
                 std::vector<ptrdiff_t>& deltas) {
  std::vector<int> pes;
  deltas.resize(members.size());
  hidden.size = static_cast<int>(members.size());
  hidden.block = reinterpret_cast<TeamBlock*>(reinterpret_cast<std::byte*>(whole.block) + offset);
  for (size_t i = 0; i < members.size(); ++i) {
    const int member = members[i];
    pes.push_back(whole.world_pe(member));
    deltas[i] = whole.delta[member];
    hidden.set_shift(static_cast<int>(i), whole.shift_of(member));
    hidden.spans_nodes |= !whole.is_here(member);
  }
  hidden.set_members(pes);
  hidden.delta = hidden.inline_delta = deltas.data();
  give_system_deltas(hidden);  // where memory is exhausted, each is looked up
}

std::vector<int> leaders_like_me(const TeamNodes& nodes) {
  std::vector<int> leaders;
  if (nodes.leads())
    for (int node = 0; node < nodes.count(); ++node)
      leaders.push_back(nodes.members.pes_of(node)[static_cast<size_t>(nodes.node.me)]);
  return leaders;
}

}  // namespace

size_t most_block_bytes(int pes, int nodes) {
  if (nodes == 1) return block_bytes(pes);
  return own_block_bytes(pes) + 2 * hidden_block_bytes(pes) + board_at(nodes) + boards_bytes(nodes);
}

size_t block_bytes_of(const Team& team) {
  if (!team.nodes) return block_bytes(team.size);
  const int nodes = team.nodes->count();
  size_t bytes = own_block_bytes(team.size) + hidden_block_bytes(team.size);
  if (team.nodes->leads()) bytes += hidden_block_bytes(team.size) + area_at(nodes);
  if (team.nodes->node.me == 0) bytes += board_at(nodes) - area_at(nodes) + boards_bytes(nodes);
  return bytes;
}

void TeamNodes::place(Placement members_on_nodes) {
  members = std::move(members_on_nodes);
  me = members.node();
  first = {0};
  for (int node = 0; node < count(); ++node)
    first.push_back(first.back() + static_cast<int>(members.pes_of(node).size()));
  most_leaders_ = count_fewest_members();
  leaders_ = leaders_of(*this);
  noticed = after(count() - 1);
  most_pairs_ = count_most_pairs();
  spreading_leaders = passing_leaders = 0;
}

int TeamNodes::count_fewest_members() const {
  int fewest = members_on(0);
  for (int node = 1; node < count(); ++node) fewest = std::min(fewest, members_on(node));
  return fewest;
}

size_t TeamNodes::count_most_pairs() const {
  size_t largest = 0, second = 0;
  for (int node = 0; node < count(); ++node) {
    const auto size = static_cast<size_t>(members_on(node));
    second = std::max(second, std::min(largest, size));
    largest = std::max(largest, size);
  }
  return largest * second;
}

std::byte* TeamNodes::behind(TeamBlock& leaders_block, size_t bytes) const {
  return reinterpret_cast<std::byte*>(&leaders_block) + hidden_block_bytes(whole_size_) + bytes;
}

Epoch* TeamNodes::flags(TeamBlock& leaders_block, Flag which) const {
  return reinterpret_cast<Epoch*>(behind(leaders_block, 0)) + static_cast<int>(which) * count();
}

Epoch& TeamNodes::flag(int leader, int from, Flag which) const {
  return flags(leaders.block_of(leader), which)[from];
}

Epoch& TeamNodes::flag_of_neighbour(int leader, int from) const {
  return flags(block_of_neighbour(leader), Flag::meetings)[from];
}

std::byte* TeamNodes::buffer(int leader) const {
  return behind(leaders.block_of(leader), buffer_at(count()));
}

std::byte* TeamNodes::area(int leader, int half) const {
  return behind(leaders.block_of(leader), area_at(count()) + static_cast<size_t>(half) * area_bytes);
}

std::byte* TeamNodes::area_of_first(const Team& whole, int which, int half) const {
  auto* const block = reinterpret_cast<std::byte*>(&whole.block_of(members.pes_of(which)[0]));
  auto* const leaders_block = block + own_block_bytes(whole.size) + hidden_block_bytes(whole.size);
  return behind(*reinterpret_cast<TeamBlock*>(leaders_block),
                area_at(count()) + static_cast<size_t>(half) * area_bytes);
}

NodePublication* TeamNodes::board(int leader, int half) const {
  return reinterpret_cast<NodePublication*>(behind(leaders.block_of(leader), board_at(count()))) +
         half * count();
}

// Of the leaders' team: it lies behind that of the node team.
TeamBlock& TeamNodes::block_of_neighbour(int leader) const {
  return *reinterpret_cast<TeamBlock*>(reinterpret_cast<std::byte*>(&node.block_of(leader)) +
                                       hidden_block_bytes(whole_size_));
}

std::byte* TeamNodes::area_of_node(int half) const {
  return behind(block_of_neighbour(0), area_at(count()) + static_cast<size_t>(half) * area_bytes);
}

const NodePublication* TeamNodes::board_of_node(int half) const {
  return reinterpret_cast<const NodePublication*>(behind(block_of_neighbour(0), board_at(count()))) +
         half * count();
}

std::shared_ptr<TeamNodes> lay_on_nodes(const Team& team) {
  if (!team.spans_nodes) return nullptr;
  auto nodes = std::make_shared<TeamNodes>();
  nodes->whole_size_ = team.size;
  nodes->place(members_on_nodes(team));
  nodes->node.me = nodes->members.place();
  nodes->leaders.me = nodes->me;
  return nodes;
}

void connect_on_nodes(const Team& team) {
  if (!team.nodes) return;
  TeamNodes& nodes = *team.nodes;
  const size_t own = own_block_bytes(team.size);
  make_hidden(team, nodes.members.pes_here(), own, nodes.node, nodes.node_deltas_);
  const std::vector<int> leaders = leaders_like_me(nodes);
  if (!leaders.empty())
    make_hidden(team, leaders, own + hidden_block_bytes(team.size), nodes.leaders, nodes.leaders_deltas_);
}

}  // namespace atrium
