// Builds PEs as init does; what needs a launcher is known here without one.
// SPDX-License-Identifier: BSD-3-Clause
#include "sim/job.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "arena/arena.hpp"
#include "arena/system.hpp"
#include "coll/coll.hpp"
#include "coll/select/family.hpp"
#include "context/context.hpp"
#include "core/log.hpp"
#include "job/need.hpp"
#include "job/node_view.hpp"
#include "job/ring_parties.hpp"
#include "os/page.hpp"
#include "sim/deltas.hpp"
#include "sim/network.hpp"
#include "sim/sealing.hpp"
#include "sim/work.hpp"
#include "team/block.hpp"
#include "team/nodes.hpp"
#include "team/world.hpp"
#include "topology/domain.hpp"
#include "topology/placement.hpp"
#include "transport/away.hpp"
#include "wait/park.hpp"
#include "wait/policy.hpp"
#include "wait/wait.hpp"

namespace atrium::sim {
namespace {

// Nobody spins: a sleeper is woken by the store that it waits for.
constexpr WaitPolicy asleep_at_once{0, 0, 0, 0, true, true, 1, 1, 0, "simulated"};

int endpoints_of(const World& world, int node) {
  return std::min(world.shape().endpoints, static_cast<int>(world.pes_of(node).size()));
}

// What is the same for all PEs.
void set_up_library(const World& world) {
  const JobShape& shape = world.shape();
  detail::chosen_policy = asleep_at_once;
  charge_copies();
  int cpus = shape.pes();
  for (int node = 0; node < world.nodes(); ++node)
    cpus = std::min(cpus, static_cast<int>(world.pes_of(node).size()));
  uint64_t traits = 0;
  if (world.nodes() > 1) traits |= many_nodes;
  if (shape.shares_cpus) traits |= oversubscribed;
  if (world.costs().tcp != 0) traits |= costly_messages;
  need(set_up_collectives(traits, cpus));
}

NodeLayout layout_of(const World& world) { return {world.part_bytes(), 0, world.part_bytes()}; }

char* part_of(const World& world, int node, int place) {
  return world.segment(node) + static_cast<size_t>(place) * world.part_bytes();
}

// Requires, of these: the PE's variables are in place.
void build_arena(const World& world, DeltaTables& deltas, const Pe& pe) {
  const size_t system = system_bytes_of(world.shape());
  auto* const base = reinterpret_cast<std::byte*>(part_of(world, pe.node, pe.place));
  arena.system = base;
  arena.system_size = system;
  arena.heap() = {"the symmetric heap", base + system, world.part_bytes() - system, base};
  arena.delta = arena.system_delta = deltas.of(pe);
  open_system_area(system);
}

EndpointHost host_of(Pe& pe) {
  EndpointHost host;
  host.wake = wake_pe_in;
  host.subject = &pe.memory;
  host.fail = [](void*, const Error& error) { fatal(error); };
  host.now_ns = [] { return static_cast<uint64_t>(World::here().current().clock / nanosecond); };
  host.idle = [](void*) { World::here().rest(); };
  return host;
}

void open_endpoint(World& world, SimulatedNetwork& network, Pe& pe) {
  pe.memory = {world.segment(pe.node), static_cast<int>(world.pes_of(pe.node).size()), layout_of(world)};
  pe.endpoint =
      need(Endpoint::open(network.open(pe), pe.memory, host_of(pe), static_cast<uint64_t>(pe.number) + 1));
}

EndpointPlan plan_of(World& world) {
  EndpointPlan plan;
  plan.secret.fill(1);
  plan.method = &sealed_by_a_sum;
  for (int node = 0; node < world.nodes(); ++node) {
    plan.hosts.push_back("node " + std::to_string(node));
    plan.addresses.emplace_back();
    for (int place = 0; place < endpoints_of(world, node); ++place)
      plan.addresses.back().push_back(
          world.pe(world.pes_of(node)[static_cast<size_t>(place)]).endpoint->address());
  }
  return plan;
}

void join_network(World& world, EndpointPlan& plan, Pe& pe, bool has_clients) {
  pe.map.emplace(NodeMap{placement, layout_of(world)});
  if (has_clients)
    pe.block = static_cast<RingBlock*>(require_system(sizeof(RingBlock), "the commands for the network"));
  const RingParties parties{endpoints_of(world, pe.node), pe.map->layout, pe.block};
  if (pe.endpoint) {
    plan.node = pe.node;
    plan.endpoint = pe.place;
    need(pe.endpoint->connect(plan));
    const auto clients = has_clients ? parties.client_rings(pe.memory) : std::vector<ClientRing>{};
    if (!clients.empty()) pe.endpoint->admit(clients, pe.block->bell);
    pe.transport = std::make_unique<NetworkTransport>(*pe.endpoint, *pe.map);
    set_meanwhile({[] { return World::here().current().endpoint->progress(); }, [] {}});
  } else {
    pe.client = std::make_unique<RingClient>(parties.client(*pe.map, nullptr));
    pe.transport = std::make_unique<NetworkTransport>(*pe.client, *pe.map);
  }
  set_away_transport(pe.transport.get());
}

bool anybody_lacks_endpoint(const World& world) {
  for (int node = 0; node < world.nodes(); ++node)
    if (endpoints_of(world, node) < static_cast<int>(world.pes_of(node).size())) return true;
  return false;
}

}  // namespace

// Room for a dozen teams of everybody, as small as that is: most pages are never touched.
size_t system_bytes_of(const JobShape& shape) {
  constexpr size_t teams = 24;
  return round_up(sizeof(RingBlock) + (size_t{1} << 20) +
                      teams * most_block_bytes(shape.pes(),
                                               1 + *std::max_element(shape.nodes.begin(), shape.nodes.end())),
                  65536);
}

void build_job(World& world) {
  set_up_library(world);
  auto* const network = new SimulatedNetwork(world);  // everlasting, as the world
  auto* const deltas = new DeltaTables(world);        // and so is this
  const bool spans = world.nodes() > 1, has_clients = spans && anybody_lacks_endpoint(world);
  const Placement pes(0, world.shape().nodes);
  for (auto& pe : world.pes()) {
    pe->variables.put_in_place();
    set_placement(pes.seen_by(pe->number));
    set_domains_of_places(
        pretend_domains(placement.places(), std::min(world.shape().domains, placement.places())));
    build_arena(world, *deltas, *pe);
    if (spans && pe->place < endpoints_of(world, pe->node)) open_endpoint(world, *network, *pe);
  }
  EndpointPlan plan = spans ? plan_of(world) : EndpointPlan{};
  for (auto& pe : world.pes()) {
    pe->variables.put_in_place();
    if (spans) join_network(world, plan, *pe, has_clients);
    my_park_slot = static_cast<ParkSlot*>(require_system(sizeof(ParkSlot), "the place where this PE sleeps"));
    need(create_world_teams(placement, arena.delta));
    show_world_teams(arena.delta);
    default_context.delta = default_context.inline_delta = arena.delta;
    default_context.pending = 0;
    default_context.team = &world_team;
  }
}

}  // namespace atrium::sim
