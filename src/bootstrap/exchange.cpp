// Allgather and barrier over nodes: inside a node the PEs meet in the lobby, between nodes their first PEs exchange.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstring>

#include "bootstrap/bootstrap.hpp"

namespace atrium {
namespace {

// One round carries a piece of each node's text; the first one of each also says how long it is.
struct Piece {      // as it lies in NodeBlob::data
  uint64_t length;  // of the whole text
  char data[NodeBlob::most - sizeof(uint64_t)];
};

void write_piece(NodeBlob& blob, std::string_view text, size_t at) {
  const std::string_view rest = text.substr(std::min(at, text.size()), sizeof Piece::data);
  const uint64_t length = text.size();
  std::memcpy(blob.data, &length, sizeof length);
  std::memcpy(blob.data + sizeof length, rest.data(), rest.size());
  blob.bytes = sizeof length + rest.size();
}

// The length of the whole text.
size_t read_piece(const NodeBlob& blob, std::string& text) {
  uint64_t length = 0;
  const size_t bytes = std::min<size_t>(blob.bytes, NodeBlob::most);
  if (bytes < sizeof length) return 0;
  std::memcpy(&length, blob.data, sizeof length);
  text.append(blob.data + sizeof length, bytes - sizeof length);
  return length;
}

}  // namespace

// The second meeting: a blob is overwritten only when all PEs have read it.
Result<std::vector<std::string>> Bootstrap::allgather(LobbyVisit& lobby, std::string_view mine) {
  NodeBlob* blobs = lobby.lobby().blobs();
  std::vector<std::string> all(static_cast<size_t>(placement_.nodes()));
  for (size_t at = 0, longest = 1; at < longest; at += sizeof Piece::data) {
    if (placement_.place() == 0) write_piece(blobs[placement_.node()], mine, at);
    if (placement_.nodes() > 1)
      if (auto done = exchange(lobby); !done) return done.error();
    lobby.meet();
    for (size_t node = 0; node < all.size(); ++node)
      longest = std::max(longest, read_piece(blobs[node], all[node]));
    lobby.meet();
  }
  return all;
}

Result<void> Bootstrap::barrier(LobbyVisit& lobby) {
  lobby.meet();
  if (placement_.nodes() == 1) return {};
  if (auto done = exchange(lobby); !done) return done;
  lobby.meet();
  return {};
}

}  // namespace atrium
