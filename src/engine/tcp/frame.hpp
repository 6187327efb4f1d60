// What stands in a connection between two engines: frames, each a header and the bytes that it announces.
// SPDX-License-Identifier: BSD-3-Clause
//
// Both ends have the same byte order, as all PEs of a job do.
#pragma once

#include <cstddef>
#include <cstdint>

namespace atrium {

enum class TcpFrameKind : uint32_t {
  hello =
      1,  // the first frame of who has made the connection: `key` is the token of whom it wants; its own name follows
  welcome,  // the answer: from now on both send by this connection
  crossed,  // the answer: not by this connection, but by the one that the answering side is making
  message,  // follows
  write,    // follows; it goes to `place` of the region that has the key
  read,     // nothing follows; `bytes` from `place` of the region that has the key are asked for
  data,     // what the oldest unanswered read has asked for follows
  refusal   // nothing follows; that read cannot be answered
};

struct TcpFrame {
  TcpFrameKind kind{};
  uint32_t bytes = 0;
  uint64_t key = 0;
  uint64_t place = 0;

  size_t follow() const { return kind == TcpFrameKind::read ? 0 : bytes; }
};
static_assert(sizeof(TcpFrame) == 24);

}  // namespace atrium
