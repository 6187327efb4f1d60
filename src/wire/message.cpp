// Reads messages, which may come from strangers.
// SPDX-License-Identifier: BSD-3-Clause
#include "wire/message.hpp"

#include <cstring>

namespace atrium {
namespace {

constexpr size_t no_such_record = ~size_t{0};

size_t payload_of(const RecordHeader& header) {
  switch (header.kind) {
    case RecordKind::put:
    case RecordKind::links:
      return header.token <= largest_payload ? header.token : no_such_record;
    case RecordKind::get:
      return 8;
    case RecordKind::change: {
      const unsigned width = width_of(header.detail);
      if (width != 2 && width != 4 && width != 8) return no_such_record;
      return op_of(header.detail) == WordOp::compare_swap ? 16 : 8;
    }
    case RecordKind::landed:
      return 8;
    case RecordKind::reply:
      return header.place <= largest_reply ? header.place : no_such_record;
  }
  return no_such_record;
}

}  // namespace

bool RecordReader::read_header(const char* data, size_t bytes, MessageHeader& header) {
  if (bytes < bare_message_bytes || bytes > message_room) return false;
  std::memcpy(&header, data, sizeof header);
  return (header.flags & message_bare) == 0 || bytes == bare_message_bytes;
}

bool RecordReader::next(Record& record) {
  if (broken_ || at_ == end_) return false;
  const auto left = static_cast<size_t>(end_ - at_);
  if (left < sizeof record.header) return refuse();
  std::memcpy(&record.header, at_, sizeof record.header);
  record.bytes = payload_of(record.header);
  if (record.bytes == no_such_record || record_bytes(record.bytes) > left) return refuse();
  record.payload = at_ + sizeof record.header;
  at_ += record_bytes(record.bytes);
  return true;
}

}  // namespace atrium
