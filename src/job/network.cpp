// Opens the endpoint, tells the other nodes its address, and connects the layers: waits drive it, records wake.
// SPDX-License-Identifier: BSD-3-Clause
#include "job/network.hpp"

#include <sys/random.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
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
#include "endpoint/ring_client.hpp"
#include "endpoint/transport.hpp"
#include "engine/libfabric.hpp"
#include "engine/providers.hpp"
#include "job/endpoint_count.hpp"
#include "job/node_facts.hpp"
#include "job/node_view.hpp"
#include "job/watch.hpp"
#include "os/network_interface.hpp"
#include "topology/networks.hpp"
#include "transport/address.hpp"
#include "wait/park.hpp"
#include "wait/wait.hpp"

namespace atrium {
namespace {

// A connection breaks most often as a PE ends, of which the launcher knows more: it ends this one, too, before networks are blamed.
constexpr unsigned patience_with_launcher_s = 3;

// There from the first init of a job that spans nodes until the process ends. A PE has either an endpoint or a client.
struct Network {
  std::unique_ptr<FoundFabric> found;  // and not open yet
  std::string interface;               // of this host, by address, that the nodes have chosen, if they have
  std::string address;                 // that my endpoint listens at, if that is one of TCP
  std::unique_ptr<Endpoint> endpoint;
  std::unique_ptr<RingClient> client;
  std::unique_ptr<AwayTransport> transport;
  NodeMemory memory;
  NodeMap map{placement, {}};
  Layout layout;
  int endpoints = 0;         // of my node
  bool has_clients = false;  // on some node: then every PE has a block, so that system memory stays symmetric
  RingBlock* block = nullptr;
  Traffic* traffic = nullptr;
  std::string description;
};
Network* network = nullptr;

// What a PE tells the first one of its node, in system memory.
struct SharedAddress {
  uint64_t key, base, bytes;
  int64_t wish;       // EndpointWish::at_most
  int64_t connected;  // EngineTraits
  char name[NodeFacts::longest_name];
};

Result<uint64_t> random_number() {
  uint64_t number = 0;
  if (::getrandom(&number, sizeof number, 0) != sizeof number)
    return system_error("cannot draw the job's secret", "getrandom");
  return number;
}

// The park spot of a PE of this node, as this process sees it in the view: it lies where mine does in my heap.
ParkSpot* park_spot_of(int local) {
  if (!my_park_spot) return nullptr;
  const auto offset = static_cast<size_t>(reinterpret_cast<std::byte*>(my_park_spot) - arena.system);
  const NodeMemory& memory = network->memory;
  return reinterpret_cast<ParkSpot*>(memory.view + memory.layout.heap_at(local) + offset);
}

void wake_pe(void*, int local, uint64_t, uint64_t) {
  ParkSpot* spot = park_spot_of(local);
  if (!spot) return;
  if (writers_must_call()) full_fence();  // SYNC park
  if (spot->sleepers.load(std::memory_order_relaxed) != 0) wake(*spot);
}

Result<EndpointHost> host_of_endpoint(const Bootstrap& bootstrap, LobbyVisit& lobby) {
  auto seconds = number_setting("ATRIUM_NET_TIMEOUT");
  if (!seconds) return seconds.error();
  EndpointHost host;
  host.traffic = &lobby.lobby().waits()[placement.place()].traffic;
  // A cut network ends a job sooner than the default does; who gives a time means it.
  if (given("ATRIUM_NET_TIMEOUT").value_or("").empty()) {
    host.hearing = &lobby.lobby().waits()[placement.place()].hearing;
    if (may_watch(bootstrap)) host.cut_off = end_cut_off;
  }
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

const SharedAddress& address_of(const SharedAddress* mine, int place) {
  return *there(mine, arena.delta[placement.pes_here()[static_cast<size_t>(place)]]);
}

// The addresses of the endpoints of this node, by place.
std::vector<EndpointAddress> gather_addresses(const SharedAddress* mine) {
  std::vector<EndpointAddress> all;
  for (int place = 0; place < network->endpoints; ++place) {
    const SharedAddress& address = address_of(mine, place);
    all.push_back({std::string(address.name, address.bytes), {address.key, address.base}});
  }
  return all;
}

std::string name_of_host() {
  utsname host{};
  ::uname(&host);
  return host.nodename;
}

// Everybody's addresses: mine went through system memory to my node's first PE, and its text goes to the other nodes.
Result<EndpointPlan> exchange_addresses(Bootstrap& bootstrap, LobbyVisit& lobby,
                                        const SharedAddress* shared) {
  auto secret = random_number();
  if (!secret) return secret.error();
  NodeFacts facts{*secret, name_of_host(), {}, {}, {}};
  if (placement.place() == 0) {
    facts.provider = network->endpoint->traits().provider;
    facts.endpoints = gather_addresses(shared);
    if (may_watch(bootstrap)) facts.watch = listen_for_nodes(network->address);
  }
  auto texts = bootstrap.allgather(lobby, pack(facts));
  if (!texts) return texts.error();
  EndpointPlan plan;
  std::vector<std::string> watches;
  std::string provider;  // of node 0
  plan.node = placement.node();
  plan.endpoint = placement.place();
  for (size_t node = 0; node < texts->size(); ++node) {
    const size_t places = placement.pes_of(static_cast<int>(node)).size();
    if (!unpack((*texts)[node], places, facts)) return strange_node(node, "exchanging addresses");
    if (node == 0) plan.secret = facts.secret;
    network->has_clients |= facts.endpoints.size() < places;
    plan.hosts.push_back("node " + std::to_string(node) + " (" + facts.host + ")");
    if (node == 0) provider = facts.provider;
    if (facts.provider != provider)
      return different_providers(plan.hosts[node], facts.provider, plan.hosts[0], provider);
    plan.addresses.push_back(std::move(facts.endpoints));
    watches.push_back(std::move(facts.watch));
  }
  lobby.meet();  // all have read the first PE's view of the addresses
  watch_nodes(plan.secret, watches, plan.hosts);
  return plan;
}

Result<void> look_for_provider(const Bootstrap& bootstrap) {
  FabricWishes wishes = fabric_wishes(bootstrap.pretends_nodes());
  wishes.preferred_address = network->interface.empty() ? bootstrap.interface() : network->interface;
  auto found = find_libfabric(wishes);
  if (!found) return found.error();
  network->found = std::move(*found);
  return {};
}

// Where the nodes have chosen another interface than the provider would take.
Result<void> find_chosen_interface(const Bootstrap& bootstrap, const std::string& interface) {
  network->interface = interface;
  const bool is_other = !interface.empty() && network->found && !network->found->address().empty() &&
                        network->found->address() != interface;
  return is_other ? look_for_provider(bootstrap) : Result<void>{};
}

// Opens mine, and tells the PEs of my node about it. Requires: its provider has been found.
Result<void> open_endpoint(const Bootstrap& bootstrap, LobbyVisit& lobby, Segment& segment,
                           SharedAddress& shared) {
  auto memory = map_view_of_node(segment, network->layout, placement.places());
  if (!memory) return memory.error();
  network->memory = *memory;
  auto host = host_of_endpoint(bootstrap, lobby);
  if (!host) return host.error();
  if (const Provider* known = find_provider(network->found->traits().provider); known && known->over_tcp)
    network->address = network->found->address();
  auto engine = network->found->open();
  if (!engine) return engine.error();
  network->found.reset();
  auto key = random_number();
  if (!key) return key.error();
  auto endpoint = Endpoint::open(std::move(*engine), *memory, *host, *key);
  if (!endpoint) return endpoint.error();
  network->endpoint = std::move(*endpoint);
  const EndpointAddress& address = network->endpoint->address();
  if (address.name.size() > NodeFacts::longest_name)
    return Error{"cannot connect the nodes of this job", "an address of this provider is too long", "", ""};
  shared.key = address.region.key;
  shared.base = address.region.base;
  shared.bytes = address.name.size();
  shared.connected = network->endpoint->traits().connected;
  std::memcpy(shared.name, address.name.data(), address.name.size());
  return {};
}

// Those of the first places. Who is beyond the number that is certain waits for what the first one says of its provider.
Result<void> open_endpoints(Bootstrap& bootstrap, LobbyVisit& lobby, Segment& segment,
                            SharedAddress& shared) {
  auto wish = endpoint_wish();
  if (!wish) return wish.error();
  const int me = placement.place(), places = placement.places(), surely = wish->surely(places);
  shared.wish = wish->at_most;
  if (network->found) {
    if (auto r = open_endpoint(bootstrap, lobby, segment, shared); !r) return r;
  }
  lobby.meet();
  const SharedAddress& first = address_of(&shared, 0);
  if (first.wish != shared.wish)
    return Error{"PEs of this node were told different numbers of endpoints", "", "connecting the nodes",
                 "the same ATRIUM_ENDPOINTS for all of them"};
  network->endpoints = wish->count(places, first.connected != 0);
  if (network->endpoints == surely) return {};
  if (me >= surely) {
    if (auto r = look_for_provider(bootstrap); !r) return r;
    if (auto r = open_endpoint(bootstrap, lobby, segment, shared); !r) return r;
  }
  lobby.meet();
  return {};
}

std::string describe(const Endpoint& endpoint) {
  const int places = placement.places();
  const bool shared = network->endpoints < places;
  return endpoint.traits().provider + ", " + std::to_string(network->endpoints) + " endpoint" +
         (network->endpoints == 1 ? "" : "s") + " for " + std::to_string(places) + " PEs of a node (" +
         (setting("ATRIUM_ENDPOINTS") != "auto" ? "ATRIUM_ENDPOINTS=" + setting("ATRIUM_ENDPOINTS")
          : shared ? std::string("auto: each has a connection to each other node's")
                   : std::string("auto: each PE has one")) +
         ")";
}

// While exit handlers run nothing else of this process may be inside the network library.
void stop_at_exit() {
  if (network && network->endpoint && !is_forked_child()) network->endpoint->stop_progress_thread();
}

Result<void> connect(Bootstrap& bootstrap, LobbyVisit& lobby, Segment& segment, const Layout& layout) {
  network->layout = layout;
  network->map.layout = layout_of_view(layout);
  network->traffic = &lobby.lobby().waits()[placement.place()].traffic;
  auto* shared = static_cast<SharedAddress*>(require_system(sizeof(SharedAddress), "the addresses of PEs"));
  *shared = {};
  if (auto r = open_endpoints(bootstrap, lobby, segment, *shared); !r) return r;
  auto plan = exchange_addresses(bootstrap, lobby, shared);
  if (!plan) return plan.error();
  free_system(shared);
  std::atexit(stop_at_exit);
  if (!network->endpoint) return {};
  network->description = describe(*network->endpoint);
  return network->endpoint->connect(*plan);
}

uint64_t offset_of_mine(void*, const void* address, size_t bytes) {
  const auto* const at = static_cast<const std::byte*>(address);
  const bool is_system = at >= arena.system && at + bytes <= arena.system + arena.system_size;
  if (!is_system && !arena.is_symmetric(address, bytes)) return RingClientPlan::not_symmetric;
  return network->map.place_of(remote_address(address, placement.me()), bytes).offset;
}

// Mine, as the whole node's memory has it.
uint64_t offset_of_block(int place) {
  return network->map.layout.heap_at(place) +
         static_cast<uint64_t>(reinterpret_cast<std::byte*>(network->block) - arena.system);
}

void become_client() {
  const int owner = placement.place() % network->endpoints;
  RingClientPlan plan;
  plan.mine = network->block;
  plan.mine_at = offset_of_block(placement.place());
  plan.bell = &there(network->block, arena.delta[placement.pes_here()[static_cast<size_t>(owner)]])->bell;
  plan.traffic = network->traffic;
  plan.offset_of = offset_of_mine;
  network->client = std::make_unique<RingClient>(plan);
  network->transport = std::make_unique<NetworkTransport<RingClient>>(*network->client, network->map);
}

void admit_clients() {
  std::vector<RingGuest> guests;
  for (int place = network->endpoints; place < placement.places(); ++place) {
    if (place % network->endpoints != placement.place()) continue;
    guests.push_back({place, reinterpret_cast<RingBlock*>(network->memory.view + offset_of_block(place))});
  }
  if (!guests.empty()) network->endpoint->admit(guests, network->block->bell);
}

}  // namespace

Result<void> find_network(const Bootstrap& bootstrap) {
  if (placement.nodes() == 1) return {};
  network = new Network;  // everlasting
  auto wish = endpoint_wish();
  if (!wish) return wish.error();
  return placement.place() < wish->surely(placement.places()) ? look_for_provider(bootstrap) : Result<void>{};
}

bool network_pins_memory() { return network && network->found && network->found->traits().pins_memory; }

std::vector<std::string> networks_to_choose_from(const Bootstrap& bootstrap) {
  const bool is_chosen = bootstrap.pretends_nodes() || !bootstrap.interface().empty() ||
                         !setting("ATRIUM_NET_INTERFACE").empty();
  if (!network || is_chosen || placement.place() != 0) return {};
  std::vector<std::string> networks = addresses_of_networks();
  if (network->found) put_first(networks, network->found->address());
  return networks;
}

Result<void> open_network(Bootstrap& bootstrap, LobbyVisit& lobby, Segment& segment, const Layout& layout,
                          const std::string& interface) {
  if (placement.nodes() == 1) return {};
  if (auto r = find_chosen_interface(bootstrap, interface); !r) return r;
  if (auto r = connect(bootstrap, lobby, segment, layout); !r) return r;
  resume_network();
  return {};
}

// Endpoints after the PEs that use them: what those leave behind, an endpoint must send.
void complete_network(LobbyVisit& lobby) {
  if (!network) return;
  if (network->client) network->client->quiet_all();
  if (network->has_clients) lobby.meet();
  if (network->endpoint) network->endpoint->quiet_all();
}

std::vector<int> network_threads() {
  if (!network || !network->endpoint) return {};
  std::vector<int> threads = network->endpoint->threads(), watches = watch_threads();
  threads.insert(threads.end(), watches.begin(), watches.end());
  return threads;
}

std::string describe_network() { return network ? network->description : ""; }

void pause_network() {
  if (!network) return;
  set_watch_paused(true);
  set_away_transport(nullptr);
  set_meanwhile({});
  if (!network->endpoint) return;
  network->endpoint->stop_progress_thread();
  network->endpoint->dismiss();
}

void resume_network() {
  if (!network) return;
  if (network->has_clients)
    network->block =
        static_cast<RingBlock*>(require_system(sizeof(RingBlock), "the commands for the network"));
  if (!network->endpoint)
    become_client();
  else if (!network->transport)
    network->transport = std::make_unique<NetworkTransport<Endpoint>>(*network->endpoint, network->map);
  set_away_transport(network->transport.get());
  if (!network->endpoint) return;
  set_meanwhile({[] { return network->endpoint->progress(); }, [] { network->endpoint->before_sleep(); }});
}

Result<void> serve_network() {
  if (!network || !network->endpoint) return {};
  if (network->has_clients) admit_clients();
  return network->endpoint->start_progress_thread();
}

}  // namespace atrium
