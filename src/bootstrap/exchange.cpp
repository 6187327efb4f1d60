// Allgather and barrier over nodes: inside a node the PEs meet in the lobby, between nodes their first PEs exchange.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstring>

#include "bootstrap/bootstrap.hpp"

namespace atrium {
namespace {

void write_blob(NodeBlob& blob, std::string_view text) {
  std::memcpy(blob.data, text.data(), text.size());
  blob.bytes = text.size();
}

std::string read_blob(const NodeBlob& blob) {
  return {blob.data, std::min<size_t>(blob.bytes, NodeBlob::most)};
}

}  // namespace

// The second meeting: a blob is overwritten only when all PEs have read it.
Result<std::vector<std::string>> Bootstrap::allgather(LobbyVisit& lobby, std::string_view mine) {
  NodeBlob* blobs = lobby.lobby().blobs();
  if (mine.size() > NodeBlob::most)
    return Error{"cannot tell the other nodes about this one",
                 std::to_string(mine.size()) + " bytes are too many",
                 "exchanging addresses",
                 {}};
  if (placement_.place() == 0) write_blob(blobs[placement_.node()], mine);
  if (placement_.nodes() > 1)
    if (auto done = exchange(lobby); !done) return done.error();
  lobby.meet();
  std::vector<std::string> all;
  for (int node = 0; node < placement_.nodes(); ++node) all.push_back(read_blob(blobs[node]));
  lobby.meet();
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
