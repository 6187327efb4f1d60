// Starts the network step by step: finds a provider, opens endpoints, exchanges their addresses, connects them. Then drives, pauses
// and resumes it.
// SPDX-License-Identifier: BSD-3-Clause
#include "job/network.hpp"

#include <sys/random.h>

#include <cstdlib>
#include <cstring>
#include <memory>

#include "arena/system.hpp"
#include "atrium_system.hpp"
#include "core/forked_child.hpp"
#include "core/settings.hpp"
#include "job/address_exchange.hpp"
#include "job/endpoint_count.hpp"
#include "job/endpoint_host.hpp"
#include "job/node_view.hpp"
#include "job/provider_search.hpp"
#include "job/ring_parties.hpp"
#include "job/unused_card.hpp"
#include "job/watch.hpp"
#include "network/endpoint.hpp"
#include "network/ring_client.hpp"
#include "network/transport.hpp"
#include "wait/wait.hpp"

namespace atrium {
namespace {

// There from the first init of a job that spans nodes until the process ends. A PE has either an endpoint or a client.
struct Network {
  ProviderSearch provider;                            // until it is open
  bool pins_memory = false, costly_messages = false;  // once it is open
  std::string address;                                // that my endpoint listens at, if that is one of TCP
  std::unique_ptr<Endpoint> endpoint;
  std::unique_ptr<RingClient> client;
  std::unique_ptr<AwayTransport> transport;
  NodeMemory memory;
  NodeMap map{placement, {}};
  int endpoints = 0;         // of my node
  bool has_clients = false;  // on some node: then every PE has a block, so that system memory stays symmetric
  RingBlock* block = nullptr;
  Traffic* traffic = nullptr;
  std::string description;

  RingParties parties() const { return {endpoints, map.layout, block}; }
};
Network* network = nullptr;

}  // namespace

// 1. A provider, before memory is planned for it.

Result<void> find_network(const Bootstrap& bootstrap) {
  if (placement.nodes() == 1) return {};
  network = new Network;  // everlasting
  auto request = requested_endpoints();
  if (!request) return request.error();
  const bool surely_mine = placement.place() < request->surely(placement.places());
  return surely_mine ? network->provider.look(bootstrap) : Result<void>{};
}

bool network_pins_memory() { return network && (network->pins_memory || network->provider.pins_memory()); }
bool network_has_costly_messages() { return network && network->costly_messages; }

NetworkOffer network_offer(const Bootstrap& bootstrap) {
  if (!network || placement.place() != 0) return {};
  const bool is_chosen = bootstrap.pretends_nodes() || !bootstrap.interface().empty() ||
                         !setting("ATRIUM_NET_INTERFACE").empty();
  return {network->provider.provider(),
          is_chosen ? std::vector<std::string>{} : network->provider.networks()};
}

Result<void> pass_providers_over(const Bootstrap& bootstrap, const NetworkChoice& choice) {
  if (placement.place() != 0 ||
      place_of_provider(network->provider.provider()) >= place_of_provider(choice.provider))
    return {};
  auto found = network->provider.look(bootstrap, choice.provider);
  if (found) return {};
  return Error{choice.difference->what, choice.difference->because + "; here " + found.error().because,
               choice.difference->during, choice.difference->remedy};
}

namespace {

// 2. The endpoints of my node are opened.

template <class Number>
Result<Number> drawn_at_random() {
  Number number{};
  if (::getrandom(&number, sizeof number, 0) != sizeof number)
    return system_error("cannot draw the job's secret", "getrandom");
  return number;
}

// What is registered besides heaps is no user's to make smaller.
Error not_registered(Error error, const NodeMemory& memory, const Layout& layout) {
  const size_t beside = memory.layout.part_bytes - layout.heap_size;
  error.while_doing("registering " + std::to_string(memory.bytes() >> 20) +
                    " MiB of memory with the network: for each of " + std::to_string(memory.pes) +
                    " PEs a heap of " + format_size(layout.heap_size) + ", and " +
                    std::to_string(beside >> 20) + " MiB of static data and Atrium's own");
  const bool may_be_smaller = layout.heap_size > beside;
  return error.try_this(may_be_smaller ? "a smaller SHMEM_SYMMETRIC_SIZE, or ulimit -l unlimited"
                                       : "ulimit -l unlimited; a smaller SHMEM_SYMMETRIC_SIZE saves little");
}

// Opens my endpoint and publishes its address for the first PE of my node. Requires: its provider has been found.
Result<void> open_endpoint(const Bootstrap& bootstrap, LobbyVisit& lobby, Segment& segment,
                           const Layout& layout, SharedAddress& shared) {
  auto memory = map_view_of_node(segment, layout, placement.places());
  if (!memory) return memory.error();
  network->memory = *memory;
  auto host = host_of_endpoint(bootstrap, lobby, network->memory);
  if (!host) return host.error();
  network->address = network->provider.tcp_address();
  note_unused_card(network->provider.provider(), !network->address.empty(), network->provider.passed_over());
  network->pins_memory = network->provider.pins_memory();
  auto engine = network->provider.take();
  auto key = drawn_at_random<uint64_t>();
  if (!key) return key.error();
  auto endpoint = Endpoint::open(std::move(engine), *memory, *host, *key);
  if (!endpoint) return not_registered(endpoint.error(), *memory, layout);
  network->endpoint = std::move(*endpoint);
  return publish_address(shared, *network->endpoint);
}

// Opens the endpoints of the first places. PEs beyond the number that is certain wait until the first one knows its provider.
Result<void> open_endpoints(Bootstrap& bootstrap, LobbyVisit& lobby, Segment& segment, const Layout& layout,
                            SharedAddress& shared) {
  auto request = requested_endpoints();
  if (!request) return request.error();
  const int me = placement.place(), places = placement.places(), surely = request->surely(places);
  shared.request = request->at_most;
  if (network->provider.has_found()) {
    if (auto r = open_endpoint(bootstrap, lobby, segment, layout, shared); !r) return r;
  }
  lobby.barrier();
  const SharedAddress& first = address_of(shared, 0);
  if (first.request != shared.request)
    return Error{"PEs of this node were told different numbers of endpoints", "", "connecting the nodes",
                 "the same ATRIUM_ENDPOINTS for all of them"};
  network->endpoints = request->count(places, placement.nodes() - 1, first.cost);
  network->costly_messages = first.costly_messages != 0;
  if (network->endpoints == surely) return {};
  if (me >= surely) {
    if (auto r = network->provider.look(bootstrap); !r) return r;
    if (auto r = open_endpoint(bootstrap, lobby, segment, layout, shared); !r) return r;
  }
  lobby.barrier();
  return {};
}

// 3. The nodes exchange the addresses of their endpoints.

Result<NodeFacts> facts_of_node(const Bootstrap& bootstrap, const SharedAddress& shared) {
  NodeFacts facts{{}, aes_128_gcm() != nullptr, host_name(), {}, {}, {}};
  if (placement.node() == 0) {
    auto secret = drawn_at_random<JobSecret>();
    if (!secret) return secret.error();
    facts.secret = *secret;
  }
  if (placement.place() != 0) return facts;
  facts.provider = network->endpoint->traits().provider;
  facts.endpoints = addresses_of_first(shared, network->endpoints);
  if (may_watch(bootstrap)) facts.watch = listen_for_nodes(network->address);
  return facts;
}

// A second secret, which NodeWatches send to each other: nothing about the job's own can be derived from it.
uint64_t secret_of_watch(const JobSecret& secret) {
  unsigned char key[seal_key_bytes];
  derive_key(secret.data(), {static_cast<uint32_t>(SecretUse::node_watch), {}}, key);
  uint64_t number = 0;
  std::memcpy(&number, key, sizeof number);
  return number;
}

Result<EndpointPlan> exchange_with_nodes(Bootstrap& bootstrap, LobbyVisit& lobby,
                                         const SharedAddress& shared) {
  auto mine = facts_of_node(bootstrap, shared);
  if (!mine) return mine.error();
  auto nodes = exchange_facts(bootstrap, lobby, *mine);
  if (!nodes) return nodes.error();
  network->has_clients = nodes->has_clients;
  watch_nodes(secret_of_watch(nodes->plan.secret), nodes->watches, nodes->plan.hosts);
  return std::move(nodes->plan);
}

// 4. The endpoints are connected.

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

Result<void> connect(const EndpointPlan& plan) {
  std::atexit(stop_at_exit);
  if (!network->endpoint) return {};
  network->description = describe(*network->endpoint);
  return network->endpoint->connect(plan);
}

}  // namespace

// Steps 2 to 5.
Result<void> open_network(Bootstrap& bootstrap, LobbyVisit& lobby, Segment& segment, const Layout& layout,
                          const NetworkChoice& choice) {
  if (placement.nodes() == 1) return {};
  if (auto r = network->provider.settle_on(bootstrap, choice.provider, choice.address); !r) return r;
  network->map.layout = layout_of_view(layout);
  network->traffic = &lobby.lobby().waits()[placement.place()].traffic;
  auto* shared = static_cast<SharedAddress*>(require_system(sizeof(SharedAddress), "the addresses of PEs"));
  *shared = {};
  if (auto r = open_endpoints(bootstrap, lobby, segment, layout, *shared); !r) return r;
  auto plan = exchange_with_nodes(bootstrap, lobby, *shared);
  if (!plan) return plan.error();
  free_system(shared);
  if (auto r = connect(*plan); !r) return r;
  resume_network();
  return {};
}

// 5. Operations use the network, and waits drive it: after each init.

void resume_network() {
  if (!network) return;
  if (network->has_clients)
    network->block =
        static_cast<RingBlock*>(require_system(sizeof(RingBlock), "the commands for the network"));
  if (Endpoint* const mine = network->endpoint.get()) {
    if (!network->transport) network->transport = std::make_unique<NetworkTransport>(*mine, network->map);
    set_meanwhile({[] { return network->endpoint->progress(); }, [] { network->endpoint->before_sleep(); }});
  } else {
    network->client = std::make_unique<RingClient>(network->parties().client(network->map, network->traffic));
    network->transport = std::make_unique<NetworkTransport>(*network->client, network->map);
  }
  set_away_transport(network->transport.get());
}

// 6. Threads answer other nodes whatever this PE does.

Result<void> serve_network() {
  if (!network || !network->endpoint) return {};
  if (network->has_clients) {
    const auto clients = network->parties().client_rings(network->memory);
    if (!clients.empty()) network->endpoint->admit(clients, network->block->bell);
  }
  return network->endpoint->start_progress_thread();
}

// 7. The end: of a job, or until the next init.

// Endpoints are closed after the PEs that use them, because an endpoint must send the last commands of these.
void complete_network(LobbyVisit& lobby) {
  if (!network) return;
  if (network->client) network->client->quiet_all();
  if (network->has_clients) lobby.barrier();
  if (network->endpoint) network->endpoint->quiet_all();
}

void pause_network() {
  if (!network) return;
  set_watch_paused(true);
  set_away_transport(nullptr);
  set_meanwhile({});
  if (!network->endpoint) return;
  network->endpoint->stop_progress_thread();
  network->endpoint->dismiss();
}

std::vector<int> network_threads() {
  if (!network || !network->endpoint) return {};
  std::vector<int> threads = network->endpoint->threads(), watches = watch_threads();
  threads.insert(threads.end(), watches.begin(), watches.end());
  return threads;
}

std::string describe_network() { return network ? network->description : ""; }

}  // namespace atrium
