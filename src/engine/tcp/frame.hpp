// The frames that two engines exchange over a connection: each is a header, and as many bytes of data as the header says.
// SPDX-License-Identifier: BSD-3-Clause
//
// Both ends have the same byte order, as all PEs of a job do.
#pragma once

#include <cstddef>
#include <cstdint>

namespace atrium {

enum class TcpFrameKind : uint32_t {
  hello =
      1,    // the connecting side's first frame: `key` is the token of the other side, the data its own name
  welcome,  // the answer: both sides use this connection from now on
  crossed,  // the answer: this connection is not used, but the one that the answering side is making
  message,  // data: the message
  write,    // data: for offset `place` of the region that has the key
  read,     // no data; asks for `bytes` bytes from offset `place` of the region that has the key
  data,     // data: what the oldest unanswered read has asked for
  refusal   // no data; the oldest unanswered read cannot be answered
};

struct TcpFrame {
  TcpFrameKind kind{};
  uint32_t bytes = 0;
  uint64_t key = 0;
  uint64_t place = 0;

  size_t data_bytes() const { return kind == TcpFrameKind::read ? 0 : bytes; }
};
static_assert(sizeof(TcpFrame) == 24);

}  // namespace atrium
