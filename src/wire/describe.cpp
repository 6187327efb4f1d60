// Describes messages and channels in words; reads a record's fields as its receiver does.
// SPDX-License-Identifier: BSD-3-Clause
#include "wire/describe.hpp"

#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <utility>

namespace atrium {
namespace {

const char* name_of(WordOp op) {
  static constexpr const char* names[] = {"fetch", "set", "swap", "compare_swap", "add", "and", "or", "xor"};
  static_assert(std::size(names) == static_cast<size_t>(WordOp::count));
  return names[static_cast<size_t>(op) % std::size(names)];
}

uint64_t number_in(const Record& record) {
  uint64_t number = 0;
  std::memcpy(&number, record.payload, sizeof number);
  return number;
}

template <class... Values>
std::string format(const char* form, Values... values) {
  char text[200];
  std::snprintf(text, sizeof text, form, values...);
  return text;
}

std::string place_of(const RecordHeader& header) {
  return format("0x%" PRIx64 " of PE %u", header.place, unsigned{header.local});
}

std::string describe_change(const Record& record) {
  const RecordHeader& header = record.header;
  std::string text = format("%s 0x%" PRIx64 ", %u bytes, at ", name_of(op_of(header.detail)),
                            number_in(record), width_of(header.detail)) +
                     place_of(header);
  return answers(header.detail) ? text + format(", fetch %u", header.token) : text;
}

}  // namespace

std::string describe(const Record& record) {
  const RecordHeader& header = record.header;
  switch (header.kind) {
    case RecordKind::put:
      return format("put %zu bytes to ", record.bytes) + place_of(header);
    case RecordKind::get:
      return format("get %" PRIu64 " bytes, fetch %u, from ", number_in(record), header.token) +
             place_of(header);
    case RecordKind::change:
      return describe_change(record);
    case RecordKind::landed:
      return format("landed %" PRIu64 " bytes at ", number_in(record)) + place_of(header);
    case RecordKind::reply:
      return format("reply of %zu bytes to fetch %u", record.bytes, header.token);
    case RecordKind::links:
      return format("links, %zu bytes%s%s", record.bytes,
                    (header.detail & links_go_on) != 0 ? ", more follow" : "",
                    (header.detail & links_ask) != 0 ? ", and yours?" : "");
  }
  return format("record of unknown kind %u", static_cast<unsigned>(header.kind));
}

std::string describe_message(const char* data, size_t bytes) {
  MessageHeader header;
  std::memcpy(&header, data, sizeof header);
  const bool is_bare = (header.flags & message_bare) != 0, is_urgent = (header.flags & message_urgent) != 0;
  std::string text =
      format("%smessage %" PRIu64 " of node %u.%u%s, executed %u", is_bare ? "bare " : "", header.number,
             header.node, unsigned{header.endpoint}, is_urgent ? ", urgent" : "", header.executed);
  RecordReader reader(data, bytes);
  for (Record record; reader.next(record);) text += "; " + describe(record);
  return reader.broken() ? text + "; then what is no record" : text;
}

std::string describe(const Channel& channel) {
  std::string text =
      format("channel to node %u.%u: sent %u, answered %u, asked %u; executed %u, acknowledged %u",
             channel.node, unsigned{channel.endpoint}, channel.sent, channel.answered, channel.asked,
             channel.executed, channel.acknowledged);
  text += format("; %u records open, %zu messages waiting, %zu unanswered",
                 channel.open ? channel.open->records : 0, channel.waiting.size(), channel.unanswered.size());
  text += format("; writes %" PRIu64 " begun, oldest %" PRIu64 ", reads %" PRIu64 " begun, oldest %" PRIu64,
                 channel.writes.last_begun(), channel.writes.oldest(), channel.reads.last_begun(),
                 channel.reads.oldest());
  text += format(", %zu not posted; %u fetches issued, %u done, %zu wait", channel.unposted.size(),
                 channel.fetches_issued, channel.fetches_done, channel.fetchers.size());
  for (const auto& [holds, words] : {std::pair{channel.must_ask, "must ask"},
                                     {channel.must_acknowledge, "must acknowledge"},
                                     {channel.refused, "refused"}})
    if (holds) text += std::string(", ") + words;
  return text;
}

}  // namespace atrium
