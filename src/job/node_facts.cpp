// Packs and unpacks the facts that nodes exchange while a job starts.
// SPDX-License-Identifier: BSD-3-Clause
#include "job/node_facts.hpp"

#include <cstring>

#include "atrium_packing.hpp"

namespace atrium {

std::string pack(const NodeFacts& facts) {
  PackedText packed;
  packed.text({reinterpret_cast<const char*>(&facts.secret), sizeof facts.secret}).number(facts.has_aes);
  packed.text(facts.host).text(facts.watch).text(facts.provider).number(facts.endpoints.size());
  for (const EndpointAddress& address : facts.endpoints)
    packed.number(address.region.key).number(address.region.base).text(address.name);
  return packed.take();
}

bool unpack(std::string_view text, size_t places, NodeFacts& facts) {
  Unpacker from(text);
  const std::string secret = from.text();
  if (secret.size() != sizeof facts.secret) return false;
  std::memcpy(&facts.secret, secret.data(), secret.size());
  facts.has_aes = from.number() == 1;
  facts.host = from.text(), facts.watch = from.text(), facts.provider = from.text();
  const uint64_t endpoints = from.number();
  if (endpoints == 0 || endpoints > places) return false;
  facts.endpoints.assign(endpoints, {});
  for (EndpointAddress& address : facts.endpoints) {
    address.region.key = from.number();
    address.region.base = from.number();
    address.name = from.text();
    if (address.name.size() > NodeFacts::longest_name) return false;
  }
  return from.ok() && from.at_end();
}

// With different ones they would knock at each other's ports for ever.
Error different_providers(const std::string& node, const std::string& provider, const std::string& first_node,
                          const std::string& first) {
  return Error{node + " and " + first_node + " have chosen different network providers",
               "one reaches other nodes by the provider " + provider + ", the other by " + first,
               "connecting the nodes of this job",
               "the same libfabric on all hosts (atrium-info --fabric shows it), or ATRIUM_NET=PROVIDER with "
               "one that all have"};
}

}  // namespace atrium
