// Encodes the data that nodes exchange as differences: much of it is the same on all nodes, and all of it is sent to every host.
// SPDX-License-Identifier: BSD-3-Clause
//
// Nodes ascend. Of each: how many numbers are left out before it, the length of its blob, then in turns how many bytes are those of
// the blob before it at that place, how many are not, and these. A number has seven bits in each byte, the lowest first, and the eighth
// one is set but in the last.
#include <algorithm>

#include "launch/hosts/messages.hpp"
#include "lobby/lobby.hpp"

namespace atrium {
namespace {

constexpr size_t least_same = 3;  // bytes: to name fewer takes as many
constexpr int most_node = 1 << 22;

void put_small(std::string& to, uint64_t value) {
  for (; value > 127; value >>= 7) to += static_cast<char>(value | 128);
  to += static_cast<char>(value);
}

// How many bytes from `at` on are the same in both.
size_t count_same(std::string_view a, std::string_view b, size_t at) {
  size_t end = at;
  while (end < a.size() && end < b.size() && a[end] == b[end]) ++end;
  return end - at;
}

size_t count_different(std::string_view blob, std::string_view before, size_t at) {
  size_t end = at;
  while (end < blob.size() && count_same(blob.substr(0, end + least_same), before, end) < least_same) ++end;
  return end - at;
}

void put_difference(std::string& to, std::string_view blob, std::string_view before) {
  put_small(to, blob.size());
  for (size_t at = 0; at < blob.size();) {
    const size_t same = count_same(blob, before, at);
    const size_t different = count_different(blob, before, at + same);
    put_small(to, same);
    put_small(to, different);
    to += blob.substr(at + same, different);
    at += same + different;
  }
}

std::string differences_of(NodeBlobs blobs) {
  std::sort(blobs.begin(), blobs.end());
  std::string text;
  int next = 0;
  std::string_view before;
  for (const auto& [node, blob] : blobs) {
    put_small(text, static_cast<uint64_t>(node - next));
    put_difference(text, blob, before);
    next = node + 1;
    before = blob;
  }
  return text;
}

class Differences {
 public:
  explicit Differences(std::string_view text) : rest_(text) {}

  bool at_end() const { return rest_.empty(); }
  bool ok() const { return ok_; }
  // At most `most`.
  size_t small(size_t most) {
    size_t value = 0;
    for (unsigned bits = 0; bits < 28 && !rest_.empty(); bits += 7) {
      const auto byte = static_cast<unsigned char>(rest_.front());
      rest_.remove_prefix(1);
      value |= static_cast<size_t>(byte & 127) << bits;
      if (byte < 128) return value <= most ? value : refuse();
    }
    return refuse();
  }
  std::string blob(std::string_view before) {
    const size_t bytes = small(NodeBlob::most);
    std::string blob;
    while (ok_ && blob.size() < bytes) {
      const size_t left = bytes - blob.size(), at = blob.size();
      const size_t same = small(std::min(left, before.size() - std::min(at, before.size())));
      const size_t different = small(std::min(left - same, rest_.size()));
      if (!ok_ || different > rest_.size() || same + different == 0) return refuse(), blob;
      blob += before.substr(std::min(at, before.size()), same);
      blob += rest_.substr(0, different);
      rest_.remove_prefix(different);
    }
    return blob;
  }

 private:
  size_t refuse() {
    ok_ = false;
    rest_ = {};
    return 0;
  }

  std::string_view rest_;
  bool ok_ = true;
};

NodeBlobs blobs_from(FrameReader& frame) {
  const std::string text = frame.text();
  Differences differences(text);
  NodeBlobs blobs;
  for (int next = 0; !differences.at_end();) {
    const int node = next + static_cast<int>(differences.small(static_cast<size_t>(most_node - next)));
    std::string blob = differences.blob(blobs.empty() ? std::string_view() : blobs.back().second);
    if (!differences.ok() || node >= most_node) return frame.refuse(), blobs;
    blobs.emplace_back(node, std::move(blob));
    next = node + 1;
  }
  return blobs;
}

}  // namespace

FrameWriter frame_of(const NodeBlobs& blobs) {
  return frame(HostMessage::deliver).text(differences_of(blobs));
}

FrameWriter frame_of(size_t nodes, const NodeBlobs& blobs) {
  return frame(HostMessage::contributions).number(nodes).text(differences_of(blobs));
}

// There is one way to write them.
NodeBlobs read_blobs(FrameReader& frame) {
  FrameReader again = frame;
  NodeBlobs blobs = blobs_from(frame);
  if (frame.ok() && again.text() != differences_of(blobs)) frame.refuse();
  return blobs;
}

}  // namespace atrium
