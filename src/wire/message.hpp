// The format of what a channel carries: messages, each of which is a header and records.
// SPDX-License-Identifier: BSD-3-Clause
//
//   MessageHeader, 24 bytes        offset
//     node, endpoint                0   the sender: the number of its node, and of the endpoint there
//     flags                         6   message_urgent, ...
//     number                        8   1, 2, 3, ... of the messages with records on this channel; likewise of bare ones
//     executed                     16   an acknowledgement: your messages up to this one are executed here
//     records                      20   how many follow
//   records, and a tag of 16 bytes: all from `executed` on is encrypted, and all of the message is under the tag's code
//   (wire/channel_seal.hpp): without the job's secret a message can neither be read nor made
//
//   RecordHeader, 16 bytes         offset   then the payload, filled up to a multiple of 8
//     kind, detail                  0   what to do; of `change` which operation, how wide, whether it answers; of `links` whether
//                                       it asks for yours, and whether another one with more of them follows
//     local                         2   the PE of the receiver's node whose memory it concerns
//     token                         4   put, links: bytes of the payload; get, change, reply: names the fetch
//     place                         8   offset in your node's view; reply: bytes of the payload
//
// All numbers are as this machine has them: nodes of a job have one architecture.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cipher/cipher.hpp"
#include "wire/operation.hpp"

namespace atrium {

inline constexpr uint16_t message_urgent = 1;  // acknowledge at once
inline constexpr uint16_t message_bare = 2;    // without records and sequence: it is not acknowledged itself

struct MessageHeader {
  uint32_t node;
  uint16_t endpoint;
  uint16_t flags;
  uint64_t number;
  uint32_t executed;
  uint32_t records;
};
static_assert(sizeof(MessageHeader) == 24, "nodes must agree on the layout");

enum class RecordKind : uint8_t {
  put = 1,  // the payload is stored
  get,      // payload: how many bytes; answered by a reply
  change,   // an atomic operation on a word; payload: operand, and the comparand of compare_swap
  landed,   // payload: how many bytes a write of mine has stored at `place`, for which threads may sleep
  reply,    // the value for a fetch of yours
  links     // payload: the ends of my connections (network/peer_links.hpp)
};

// Details of `links`.
inline constexpr uint8_t links_ask = 1, links_go_on = 2;

struct RecordHeader {
  RecordKind kind;
  uint8_t detail;
  uint16_t local;
  uint32_t token;
  uint64_t place;
};
static_assert(sizeof(RecordHeader) == 16, "nodes must agree on the layout");

// A message takes 8 KiB of data in one record and, beside that, a signal;
// providers send it eagerly (engine/fabric_library.cpp).
inline constexpr size_t largest_payload = 8192;
inline constexpr size_t message_room = largest_payload + 256;  // tag included
inline constexpr size_t records_end = message_room - seal_tag_bytes;
// A message without records: an acknowledgement of others, and nothing else.
inline constexpr size_t bare_message_bytes = sizeof(MessageHeader) + seal_tag_bytes;
// What a reply may carry; larger gets are reads.
inline constexpr size_t largest_reply = largest_payload;

constexpr size_t record_bytes(size_t payload) { return sizeof(RecordHeader) + (payload + 7) / 8 * 8; }

constexpr unsigned op_bits = 3, op_mask = (1u << op_bits) - 1;
static_assert(static_cast<unsigned>(WordOp::count) <= op_mask + 1,
              "an operation that does not fit would become another one: a change needs more bits for it");

// `width` is 2, 4 or 8.
constexpr uint8_t change_detail(WordOp op, unsigned width, bool answers) {
  return static_cast<uint8_t>((static_cast<unsigned>(op) & op_mask) | width << op_bits |
                              (answers ? 0x80u : 0u));
}
constexpr WordOp op_of(uint8_t detail) { return static_cast<WordOp>(detail & op_mask); }
constexpr unsigned width_of(uint8_t detail) { return detail >> op_bits & 15; }
constexpr bool answers(uint8_t detail) { return (detail & 0x80) != 0; }

// A record as it is read: nothing of it is verified, except that it lies inside the message.
struct Record {
  RecordHeader header;
  const char* payload;
  size_t bytes;  // of the payload
};

// Reads a message's records one by one. The bytes may be anything; it never reads beyond them.
class RecordReader {
 public:
  // The header of a message that may still be sealed, or false where these bytes are none.
  static bool read_header(const char* data, size_t bytes, MessageHeader& header);

  // `bytes`: without the tag.
  RecordReader(const char* data, size_t bytes) : at_(data + sizeof(MessageHeader)), end_(data + bytes) {}
  // False at the end, and at the first record that is none: then broken().
  bool next(Record& record);
  bool broken() const { return broken_; }

 private:
  bool refuse() { return broken_ = true, false; }

  const char* at_;
  const char* end_;
  bool broken_ = false;
};

}  // namespace atrium
