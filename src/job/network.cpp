// Opens the endpoint, tells the other nodes its address, and connects the layers: waits drive it, records wake.
// SPDX-License-Identifier: BSD-3-Clause
#include "job/network.hpp"

#include <sys/mman.h>
#include <sys/random.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "arena/arena.hpp"
#include "arena/system.hpp"
#include "atrium_primitives.h"
#include "core/forked_child.hpp"
#include "core/log.hpp"
#include "core/settings.hpp"
#include "endpoint/endpoint.hpp"
#include "endpoint/transport.hpp"
#include "engine/libfabric.hpp"
#include "job/node_facts.hpp"
#include "transport/address.hpp"
#include "wait/park.hpp"
#include "wait/wait.hpp"

namespace atrium {
namespace {

// A connection that breaks is most often the end of a PE, of which the launcher knows more: it ends this one, too, before
// anything has been said of networks.
constexpr unsigned patience_with_launcher_s = 3;

// There from the first init of a job that spans nodes until the process ends.
struct Network {
  std::unique_ptr<Endpoint> endpoint;
  std::unique_ptr<NetworkTransport> transport;
  NodeMemory memory;
};
Network* network = nullptr;

// What a PE tells the first one of its node, in system memory.
struct SharedAddress {
  uint64_t key, base, bytes;
  char name[NodeFacts::longest_name];
};

Result<uint64_t> random_number() {
  uint64_t number = 0;
  if (::getrandom(&number, sizeof number, 0) != sizeof number)
    return system_error("cannot draw the job's secret", "getrandom");
  return number;
}

// One mapping of the whole segment: any PE of the node can then serve all PEs of it.
Result<NodeMemory> view_of_node(Segment& segment, const Layout& layout) {
  void* view = ::mmap(nullptr, layout.total(), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (view == MAP_FAILED) return system_error("cannot map the node's memory for the network", "mmap");
  if (auto r = segment.map(view, layout.total(), 0); !r) return r.error();
  ::madvise(view, layout.total(), MADV_DONTDUMP);
  NodeMemory memory;
  memory.view = static_cast<char*>(view);
  memory.bytes = layout.total();
  memory.pes = placement.places();
  memory.stride = layout.stride;
  memory.heaps_at = layout.heaps_at;
  memory.heap_bytes = layout.system_size + layout.heap_size;
  memory.globals_at = layout.globals_at;
  memory.globals_bytes = layout.globals_size;
  return memory;
}

// The park spot of a PE of this node, as this process sees it in the view: it lies where mine does in my heap.
ParkSpot* park_spot_of(int local) {
  if (!my_park_spot) return nullptr;
  const auto offset = static_cast<size_t>(reinterpret_cast<std::byte*>(my_park_spot) - arena.system);
  const NodeMemory& memory = network->memory;
  return reinterpret_cast<ParkSpot*>(memory.view + memory.heaps_at +
                                     static_cast<uint64_t>(local) * memory.stride + offset);
}

void wake_pe(void*, int local, uint64_t, uint64_t) {
  ParkSpot* spot = park_spot_of(local);
  if (!spot) return;
  if (writers_must_call()) full_fence();  // SYNC park
  if (spot->sleepers.load(std::memory_order_relaxed) != 0) wake(*spot);
}

Result<EndpointHost> host_of_endpoint(LobbyVisit& lobby) {
  auto seconds = number_setting("ATRIUM_NET_TIMEOUT");
  if (!seconds) return seconds.error();
  EndpointHost host;
  host.traffic = &lobby.lobby().waits()[placement.place()].traffic;
  host.wake = wake_pe;
  host.fail = [](void*, const Error& error) {
    ::sleep(patience_with_launcher_s);
    fatal(error);
  };
  host.note = [](void*, const std::string& text) { note(text); };
  host.now_ns = [] { return static_cast<uint64_t>(atrium_now_ns()); };
  host.timeout_ns = static_cast<uint64_t>(std::max(*seconds, 0L)) * 1'000'000'000;
  return host;
}

// The addresses of all PEs of this node, by place.
std::vector<EndpointAddress> gather_addresses(const SharedAddress* mine) {
  std::vector<EndpointAddress> all;
  for (int pe : placement.pes_here()) {
    const SharedAddress& address = *there(mine, arena.delta[pe]);
    all.push_back({std::string(address.name, address.bytes), {address.key, address.base}});
  }
  return all;
}

std::string name_of_host() {
  utsname host{};
  ::uname(&host);
  return host.nodename;
}

// Everybody's addresses: mine go through system memory to my node's first PE, and its text to the other nodes.
Result<EndpointPlan> exchange_addresses(Bootstrap& bootstrap, LobbyVisit& lobby,
                                        const EndpointAddress& address, const Layout& layout,
                                        std::vector<NodeLayout>& layouts) {
  auto* shared = static_cast<SharedAddress*>(require_system(sizeof(SharedAddress), "the addresses of PEs"));
  if (address.name.size() > NodeFacts::longest_name)
    return Error{"cannot connect the nodes of this job", "an address of this provider is too long", "", ""};
  *shared = {address.region.key, address.region.base, address.name.size(), {}};
  std::memcpy(shared->name, address.name.data(), address.name.size());
  auto secret = random_number();
  if (!secret) return secret.error();
  lobby.meet();
  NodeFacts facts{*secret, {layout.heaps_at, layout.globals_at, layout.stride}, name_of_host(), {}};
  if (placement.place() == 0) facts.endpoints = gather_addresses(shared);
  auto texts = bootstrap.allgather(lobby, pack(facts));
  if (!texts) return texts.error();
  EndpointPlan plan;
  plan.node = placement.node();
  plan.endpoint = placement.place();
  for (size_t node = 0; node < texts->size(); ++node) {
    if (!unpack((*texts)[node], placement.pes_of(static_cast<int>(node)).size(), facts))
      return strange_node(node, "exchanging addresses");
    if (node == 0) plan.secret = facts.secret;
    layouts.push_back(facts.layout);
    plan.hosts.push_back("node " + std::to_string(node) + " (" + facts.host + ")");
    plan.addresses.push_back(std::move(facts.endpoints));
  }
  lobby.meet();  // all have read the first PE's view of the addresses
  free_system(shared);
  return plan;
}

// While exit handlers run nothing else of this process may be inside the network library.
void stop_at_exit() {
  if (network && !is_forked_child()) network->endpoint->stop_progress_thread();
}

Result<void> connect(Bootstrap& bootstrap, LobbyVisit& lobby, Segment& segment, const Layout& layout) {
  auto memory = view_of_node(segment, layout);
  if (!memory) return memory.error();
  auto host = host_of_endpoint(lobby);
  if (!host) return host.error();
  FabricWishes wishes = fabric_wishes(bootstrap.pretends_nodes());
  wishes.preferred_address = bootstrap.interface();
  auto engine = open_libfabric(wishes);
  if (!engine) return engine.error();
  auto key = random_number();
  if (!key) return key.error();
  auto endpoint = Endpoint::open(std::move(*engine), *memory, *host, *key);
  if (!endpoint) return endpoint.error();
  std::vector<NodeLayout> layouts;
  auto plan = exchange_addresses(bootstrap, lobby, (*endpoint)->address(), layout, layouts);
  if (!plan) return plan.error();
  network = new Network{std::move(*endpoint), nullptr, *memory};  // everlasting
  network->transport = std::make_unique<NetworkTransport>(*network->endpoint, placement, std::move(layouts));
  std::atexit(stop_at_exit);
  return network->endpoint->connect(*plan);
}

}  // namespace

Result<void> open_network(Bootstrap& bootstrap, LobbyVisit& lobby, Segment& segment, const Layout& layout) {
  if (placement.nodes() == 1) return {};
  if (auto r = connect(bootstrap, lobby, segment, layout); !r) return r;
  resume_network();
  return {};
}

void complete_network() {
  if (network) network->endpoint->quiet_all();
}

int network_thread() { return network ? network->endpoint->progress_thread() : 0; }

void pause_network() {
  if (!network) return;
  set_away_transport(nullptr);
  set_meanwhile({});
  network->endpoint->stop_progress_thread();
}

void resume_network() {
  if (!network) return;
  network->endpoint->start_progress_thread();
  set_away_transport(network->transport.get());
  set_meanwhile({[] { return network->endpoint->progress(); }, [] { network->endpoint->before_sleep(); }});
}

}  // namespace atrium
