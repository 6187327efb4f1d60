// Encodes what each node offers, and derives the decisions from the offers of all nodes.
// SPDX-License-Identifier: BSD-3-Clause
#include "job/agreement.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

#include "atrium_system.hpp"
#include "core/settings.hpp"
#include "engine/engines.hpp"
#include "job/node_facts.hpp"
#include "os/page.hpp"
#include "shmem/constants.h"
#include "topology/networks.hpp"

namespace atrium {
namespace {

struct Offer {
  SegmentPlan plan;
  uint64_t page;  // bytes
  char library[48];
  char host[72];
  char provider[32];
  // Networks follow it, each with a line end behind it.
};

struct Traits {
  uint32_t oversubscribed, threaded, checked, leaks, bounded, pinned, settings, cpus;
};

template <class T>
std::string_view bytes_of(const T& object) {
  return {reinterpret_cast<const char*>(&object), sizeof object};
}

// False when there are fewer bytes.
template <class T>
bool read(std::string_view text, T& object) {
  if (text.size() < sizeof object) return false;
  std::memcpy(&object, text.data(), sizeof object);
  return true;
}

Offer offer_of(const SegmentPlan& plan, const std::string& provider) {
  Offer offer{plan, page_size(), {}, {}, {}};
  std::strncpy(offer.provider, provider.c_str(), sizeof offer.provider - 1);
  std::strncpy(offer.library, SHMEM_VENDOR_STRING, sizeof offer.library - 1);
  std::strncpy(offer.host, host_name().c_str(), sizeof offer.host - 1);
  return offer;
}

std::string text_of(const SegmentPlan& plan, const NetworkOffer& mine) {
  std::string text(bytes_of(offer_of(plan, mine.provider)));
  for (const std::string& network : mine.networks) text += network + "\n";
  return text;
}

// Behind an offer.
std::vector<std::string> read_networks(std::string_view text) {
  std::vector<std::string> networks;
  text.remove_prefix(sizeof(Offer));
  for (size_t end; (end = text.find('\n')) != text.npos; text.remove_prefix(end + 1))
    networks.emplace_back(text.substr(0, end));
  return networks;
}

std::string name_of(size_t node, const Offer& offer) {
  return "node " + std::to_string(node) + " (" + offer.host + ")";
}

Error different_libraries(size_t node, const Offer& other, const Offer& first) {
  return Error{name_of(node, other) + " has another version of Atrium than " + name_of(0, first),
               "its library is " + std::string(other.library) + ", the other one " + first.library,
               "comparing the libraries",
               "the same version on all hosts (ldd PROGRAM says which one is used)"};
}

// Whole pages are symmetric, and blocks of the heap begin on one where that costs little.
Error different_pages(size_t node, const Offer& other, const Offer& first) {
  return Error{name_of(node, other) + " has pages of " + format_size(other.page) + ", and " +
                   name_of(0, first) + " of " + format_size(first.page),
               "what is symmetric would not lie alike on both", "comparing the hosts",
               "hosts whose kernels have pages of one size (getconf PAGESIZE)"};
}

Error different_programs(size_t node, const Offer& other, const Offer& first) {
  return Error{name_of(node, other) + " runs another program than " + name_of(0, first),
               "their static data differ in size or place, so static objects cannot be symmetric",
               "comparing the executables", "the same executable, built with the same library, on all hosts"};
}

Error different_builds(size_t node, const Offer& other, const Offer& first) {
  return Error{name_of(node, other) + " runs another build of the program than " + name_of(0, first),
               "their build IDs differ, though their static data have the same shape",
               "comparing the executables", "copying the program to all hosts again"};
}

Result<void> check_offer(size_t node, Offer& offer, const Offer& first) {
  offer.host[sizeof offer.host - 1] = '\0';
  offer.library[sizeof offer.library - 1] = '\0';
  offer.provider[sizeof offer.provider - 1] = '\0';
  if (std::strcmp(offer.library, first.library) != 0) return different_libraries(node, offer, first);
  if (offer.page != first.page) return different_pages(node, offer, first);
  const SegmentPlan &plan = offer.plan, &plan_of_first = first.plan;
  if (plan.globals_size != plan_of_first.globals_size || plan.globals_print != plan_of_first.globals_print)
    return different_programs(node, offer, first);
  if (plan.program_build != plan_of_first.program_build) return different_builds(node, offer, first);
  if (plan.system_size != plan_of_first.system_size) return strange_node(node, "planning the segments");
  return {};
}

// The one that stands last in the order in which they are tried: whose node has opened it could not open those before it.
NetworkChoice choose_provider(const std::vector<Offer>& offers) {
  const auto is_before = [](const Offer& a, const Offer& b) {
    return place_of_provider(a.provider) < place_of_provider(b.provider);
  };
  const auto last = std::max_element(offers.begin(), offers.end(), is_before);
  NetworkChoice choice{last->provider, {}, {}};
  for (size_t node = 0; node < offers.size() && !choice.difference; ++node)
    if (std::strcmp(offers[node].provider, offers[0].provider) != 0)
      choice.difference = different_providers(name_of(node, offers[node]), offers[node].provider,
                                              name_of(0, offers[0]), offers[0].provider);
  return choice;
}

std::string text_of(const JobTraits& mine) {
  const Traits traits{mine.oversubscribed, mine.threaded, mine.checked,  mine.leaks,
                      mine.bounded,        mine.pinned,   mine.settings, static_cast<uint32_t>(mine.cpus)};
  return std::string(bytes_of(traits));
}

// Adds what a node has found to what is known of the job. False when it makes no sense.
bool add_node(JobTraits& job, std::string_view text) {
  Traits traits;
  if (text.size() != sizeof traits || !read(text, traits)) return false;
  job.oversubscribed |= traits.oversubscribed != 0;
  job.threaded |= traits.threaded != 0;
  job.checked |= traits.checked != 0;
  job.leaks |= traits.leaks != 0;
  job.bounded |= traits.bounded != 0;
  job.pinned |= traits.pinned != 0;
  job.same_settings &= traits.settings == job.settings;
  job.cpus = std::min(job.cpus, static_cast<int>(std::min<uint32_t>(traits.cpus, INT_MAX)));
  return true;
}

}  // namespace

Result<JobPlan> agree_on_plan(Bootstrap& bootstrap, LobbyVisit& lobby, SegmentPlan mine,
                              const NetworkOffer& offer) {
  if (placement.nodes() == 1) return JobPlan{mine, {}};
  auto texts = bootstrap.allgather(lobby, text_of(mine, offer));
  if (!texts) return texts.error();
  std::vector<Offer> offers(texts->size());
  std::vector<std::vector<std::string>> networks_of_nodes;
  for (size_t node = 0; node < offers.size(); ++node) {
    if (!read((*texts)[node], offers[node])) return strange_node(node, "planning the segments");
    if (auto r = check_offer(node, offers[node], offers[0]); !r) return r.error();
    mine.heap_size = std::min(mine.heap_size, offers[node].plan.heap_size);
    networks_of_nodes.push_back(read_networks((*texts)[node]));
  }
  NetworkChoice choice = choose_provider(offers);
  const std::vector<std::string> addresses = addresses_in_common(networks_of_nodes);
  if (!addresses.empty()) choice.address = addresses[static_cast<size_t>(placement.node())];
  return JobPlan{mine, std::move(choice)};
}

Result<JobTraits> agree_on_traits(Bootstrap& bootstrap, LobbyVisit& lobby, const JobTraits& mine) {
  if (placement.nodes() == 1) return mine;
  auto texts = bootstrap.allgather(lobby, text_of(mine));
  if (!texts) return texts.error();
  JobTraits job;
  job.settings = mine.settings;
  for (size_t node = 0; node < texts->size(); ++node)
    if (!add_node(job, (*texts)[node])) return strange_node(node, "comparing the hosts");
  return job;
}

}  // namespace atrium
