// Put, get and their strided and non-blocking forms.
// SPDX-License-Identifier: BSD-3-Clause
#include "race/model/transfers.hpp"

#include "race/model/access.hpp"

namespace atrium::race {
namespace {

const char* bytes_at(const void* base, ptrdiff_t elements, size_t unit) {
  return static_cast<const char*>(base) + elements * static_cast<ptrdiff_t>(unit);
}

// Operations on a context of a team name PEs of that team; contexts know their members.
struct Way {
  Strand& strand;
  Context& context;
  int pe;
};

Way way_of(const Transfer& transfer) {
  Context& context = context_of(transfer.ctx);
  return {here(), context, world_pe(transfer.ctx, transfer.pe)};
}

}  // namespace

void note_put(const Transfer& put, bool nonblocking, bool single) {
  const Way way = way_of(put);
  if (way.pe < 0 || put.bytes == 0) return;
  const Origin origin = origin_of(put.site, put.bytes);
  Box& box = way.strand.box(way.context, way.pe);
  if (put.local)
    touch_anywhere(
        put.local, put.bytes,
        nonblocking ? access_later(box, is_read, origin) : access_now(way.strand, is_read, origin));
  const auto kind = static_cast<uint8_t>(is_write | (single ? is_flaglike : 0));
  if (const Spot there = spot_on(put.remote, way.pe))
    touch(there, put.bytes, access_later(box, kind, origin));
  box.last = way.strand.tick();
}

void note_get(const Transfer& get, bool nonblocking) {
  const Way way = way_of(get);
  if (way.pe < 0 || get.bytes == 0) return;
  const Origin origin = origin_of(get.site, get.bytes);
  Box* const box = nonblocking ? &way.strand.box(way.context, way.pe) : nullptr;
  const auto access = [&](uint8_t kind) {
    return box ? access_later(*box, kind, origin) : access_now(way.strand, kind, origin);
  };
  if (const Spot there = spot_on(get.remote, way.pe)) touch(there, get.bytes, access(is_read));
  if (get.local) touch_anywhere(get.local, get.bytes, access(is_write));
  if (box) box->last = way.strand.tick();
}

void note_put_strided(const Transfer& put, const Strides& strides) {
  const Way way = way_of(put);
  if (way.pe < 0) return;
  const size_t block = strides.block * strides.unit;
  const Origin origin = origin_of(put.site, block * strides.blocks);
  Box& box = way.strand.box(way.context, way.pe);
  for (size_t i = 0; i < strides.blocks; ++i) {
    const auto nth = static_cast<ptrdiff_t>(i);
    touch_anywhere(bytes_at(put.local, nth * strides.source, strides.unit), block,
                   access_now(way.strand, is_read, origin));
    if (const Spot there = spot_on(bytes_at(put.remote, nth * strides.dest, strides.unit), way.pe))
      touch(there, block, access_later(box, is_write, origin));
  }
  box.last = way.strand.tick();
}

void note_get_strided(const Transfer& get, const Strides& strides) {
  const Way way = way_of(get);
  if (way.pe < 0) return;
  const size_t block = strides.block * strides.unit;
  const Origin origin = origin_of(get.site, block * strides.blocks);
  for (size_t i = 0; i < strides.blocks; ++i) {
    const auto nth = static_cast<ptrdiff_t>(i);
    if (const Spot there = spot_on(bytes_at(get.remote, nth * strides.source, strides.unit), way.pe))
      touch(there, block, access_now(way.strand, is_read, origin));
    touch_anywhere(bytes_at(get.local, nth * strides.dest, strides.unit), block,
                   access_now(way.strand, is_write, origin));
  }
}

}  // namespace atrium::race
