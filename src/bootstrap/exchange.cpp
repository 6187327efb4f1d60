// Allgather and barrier over nodes: inside a node the PEs have the barrier of the lobby, between nodes their first PEs exchange.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "bootstrap/bootstrap.hpp"

namespace atrium {
namespace {

// One round carries a piece of each node's text; the first one of each also says how long it is.
struct TextPiece {  // as it lies in NodeBlob::data
  uint64_t length;  // of the whole text
  char data[NodeBlob::most - sizeof(uint64_t)];
};

struct NodeText {
  uint64_t length = 0;  // as its first piece says
  std::string text;     // what has come
};

void write_piece(NodeBlob& blob, std::string_view text, size_t at) {
  const std::string_view rest = text.substr(std::min(at, text.size()), sizeof TextPiece::data);
  const uint64_t length = text.size();
  std::memcpy(blob.data, &length, sizeof length);
  std::memcpy(blob.data + sizeof length, rest.data(), rest.size());
  blob.bytes = sizeof length + rest.size();
}

// Adds the piece that begins at `at` of another node's text to what is there of it. False: it is no such piece.
bool read_piece(const NodeBlob& blob, size_t at, NodeText& node) {
  uint64_t length = 0;
  const size_t bytes = blob.bytes;
  if (bytes < sizeof length || bytes > NodeBlob::most) return false;
  std::memcpy(&length, blob.data, sizeof length);
  if (at == 0) node.length = length;
  const size_t rest = length > at ? static_cast<size_t>(length) - at : 0;
  if (length != node.length || bytes - sizeof length != std::min(rest, sizeof TextPiece::data)) return false;
  node.text.append(blob.data + sizeof length, bytes - sizeof length);
  return true;
}

}  // namespace

Error strange_node(size_t node, const char* doing) {
  return Error{"cannot join the nodes of this job",
               "what node " + std::to_string(node) + " says makes no sense", doing,
               "the same version of Atrium on all hosts"};
}

// The second barrier: a blob is overwritten only when all PEs have read it.
Result<std::vector<std::string>> Bootstrap::allgather(LobbyVisit& lobby, std::string_view mine) {
  NodeBlob* blobs = lobby.lobby().blobs();
  std::vector<NodeText> all(static_cast<size_t>(placement_.nodes()));
  for (size_t at = 0, longest = 1; at < longest; at += sizeof TextPiece::data) {
    if (placement_.place() == 0) write_piece(blobs[placement_.node()], mine, at);
    if (placement_.nodes() > 1)
      if (auto done = exchange(lobby); !done) return done.error();
    lobby.barrier();
    for (size_t node = 0; node < all.size(); ++node) {
      if (!read_piece(blobs[node], at, all[node])) return strange_node(node, "exchanging what nodes tell");
      longest = std::max<size_t>(longest, all[node].length);
    }
    lobby.barrier();
  }
  std::vector<std::string> texts;
  for (NodeText& node : all) texts.push_back(std::move(node.text));
  return texts;
}

Result<void> Bootstrap::barrier(LobbyVisit& lobby) {
  lobby.barrier();
  if (placement_.nodes() == 1) return {};
  // Empty: otherwise the data of the last allgather would be sent to every node again.
  if (placement_.place() == 0) lobby.lobby().blobs()[placement_.node()].bytes = 0;
  if (auto done = exchange(lobby); !done) return done;
  lobby.barrier();
  return {};
}

}  // namespace atrium
