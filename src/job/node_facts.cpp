// Packs and unpacks what nodes tell each other.
// SPDX-License-Identifier: BSD-3-Clause
#include "job/node_facts.hpp"

#include <algorithm>
#include <cstring>

namespace atrium {
namespace {

// The addresses follow it, each as its bytes are: key, base, length, name.
struct Head {
  JobSecret secret;
  uint64_t has_aes;
  uint64_t endpoints;
  char host[64], watch[64], provider[64];
};

void append(std::string& text, const void* data, size_t bytes) {
  text.append(static_cast<const char*>(data), bytes);
}

// Takes values off the front of a text; false where it is too short.
class Unpacker {
 public:
  explicit Unpacker(std::string_view text) : text_(text) {}
  bool take(void* data, size_t bytes) {
    if (bytes > text_.size()) return false;
    std::memcpy(data, text_.data(), bytes);
    text_.remove_prefix(bytes);
    return true;
  }
  bool is_empty() const { return text_.empty(); }

 private:
  std::string_view text_;
};

bool take_address(Unpacker& from, EndpointAddress& address) {
  uint64_t bytes = 0;
  if (!from.take(&address.region.key, 8) || !from.take(&address.region.base, 8) || !from.take(&bytes, 8))
    return false;
  if (bytes > NodeFacts::longest_name) return false;
  address.name.resize(bytes);
  return from.take(address.name.data(), bytes);
}

}  // namespace

std::string pack(const NodeFacts& facts) {
  Head head{facts.secret, facts.has_aes, facts.endpoints.size(), {}, {}, {}};
  std::strncpy(head.host, facts.host.c_str(), sizeof head.host - 1);
  std::strncpy(head.watch, facts.watch.c_str(), sizeof head.watch - 1);
  std::strncpy(head.provider, facts.provider.c_str(), sizeof head.provider - 1);
  std::string text;
  append(text, &head, sizeof head);
  for (const EndpointAddress& address : facts.endpoints) {
    const uint64_t bytes = address.name.size();
    append(text, &address.region.key, 8);
    append(text, &address.region.base, 8);
    append(text, &bytes, 8);
    append(text, address.name.data(), bytes);
  }
  return text;
}

bool unpack(std::string_view text, size_t places, NodeFacts& facts) {
  Unpacker from(text);
  Head head;
  if (!from.take(&head, sizeof head) || head.endpoints == 0 || head.endpoints > places) return false;
  facts.secret = head.secret;
  facts.has_aes = head.has_aes == 1;
  facts.host.assign(head.host, ::strnlen(head.host, sizeof head.host));
  facts.watch.assign(head.watch, ::strnlen(head.watch, sizeof head.watch));
  facts.provider.assign(head.provider, ::strnlen(head.provider, sizeof head.provider));
  facts.endpoints.assign(head.endpoints, {});
  const auto take = [&](EndpointAddress& address) { return take_address(from, address); };
  return std::all_of(facts.endpoints.begin(), facts.endpoints.end(), take) && from.is_empty();
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
