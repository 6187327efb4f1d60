// Put, get and their strided and non-blocking forms.
// SPDX-License-Identifier: BSD-3-Clause
#include "race/openshmem/transfers.hpp"

#include "race/model/access.hpp"
#include "race/model/site.hpp"

namespace atrium::race {
namespace {

using interpose::RoutineCall;

const char* bytes_at(const void* base, ptrdiff_t elements, size_t unit) {
  return static_cast<const char*>(base) + elements * static_cast<ptrdiff_t>(unit);
}

void put_blocks(const RoutineCall& put, Strand& strand, OperationStream& stream, Origin origin) {
  const size_t block = put.strides->block * put.unit;
  for (size_t i = 0; i < put.strides->blocks; ++i) {
    const auto nth = static_cast<ptrdiff_t>(i);
    touch_anywhere(bytes_at(put.source, nth * put.strides->source, put.unit), block,
                   access_now(strand, is_read, origin));
    if (const ShadowAddress there =
            shadow_on(bytes_at(put.dest, nth * put.strides->dest, put.unit), put.target))
      touch(there, block, access_later(stream, is_write, origin));
  }
}

void get_blocks(const RoutineCall& get, Strand& strand, Origin origin) {
  const size_t block = get.strides->block * get.unit;
  for (size_t i = 0; i < get.strides->blocks; ++i) {
    const auto nth = static_cast<ptrdiff_t>(i);
    if (const ShadowAddress there =
            shadow_on(bytes_at(get.source, nth * get.strides->source, get.unit), get.target))
      touch(there, block, access_now(strand, is_read, origin));
    touch_anywhere(bytes_at(get.dest, nth * get.strides->dest, get.unit), block,
                   access_now(strand, is_write, origin));
  }
}

}  // namespace

// A value that has no place (p) may be a flag.
void note_put(const RoutineCall& put) {
  if (put.target < 0 || put.bytes() == 0) return;
  Strand& strand = here();
  const Origin origin = origin_of(put.site, put.bytes());
  OperationStream& stream = strand.stream(*put.context, put.target);
  if (put.strides) {
    put_blocks(put, strand, stream, origin);
  } else {
    if (put.source)
      touch_anywhere(
          put.source, put.bytes(),
          put.nonblocking ? access_later(stream, is_read, origin) : access_now(strand, is_read, origin));
    const auto kind = static_cast<uint8_t>(is_write | (put.source ? 0 : is_flaglike));
    if (const ShadowAddress there = shadow_on(put.dest, put.target))
      touch(there, put.bytes(), access_later(stream, kind, origin));
  }
  stream.last = strand.tick();
}

void note_get(const RoutineCall& get) {
  if (get.target < 0 || get.bytes() == 0) return;
  Strand& strand = here();
  const Origin origin = origin_of(get.site, get.bytes());
  if (get.strides) return get_blocks(get, strand, origin);
  OperationStream* const stream = get.nonblocking ? &strand.stream(*get.context, get.target) : nullptr;
  const auto access = [&](uint8_t kind) {
    return stream ? access_later(*stream, kind, origin) : access_now(strand, kind, origin);
  };
  if (const ShadowAddress there = shadow_on(get.source, get.target))
    touch(there, get.bytes(), access(is_read));
  if (get.dest) touch_anywhere(get.dest, get.bytes(), access(is_write));
  if (stream) stream->last = strand.tick();
}

}  // namespace atrium::race
