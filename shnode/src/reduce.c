/* Reductions to all: of small blocks the leader combines everything; of large ones each member a slice.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * What is written lies in the dest of the PE that is first in the list of those that are read: dest may be
 * source, and an element is then read before it is overwritten. */
#include "internal.h"

enum {
  small_bytes = 4 << 10,     /* docs/measurements/shnode.md */
  block_bytes = 16 << 10,    /* what is written stays in the nearest cache while peer after peer is added */
  fetched_bytes = 512 << 10, /* of what must be fetched first: each block is a round trip between hosts */
};

typedef struct {
  const sn_plan* plan;
  char* dest;
  const char* source;
  size_t count, unit;
  sn_kernel* combine;
  size_t block;  /* bytes that are combined at a time */
  char* scratch; /* two blocks */
} reduction;

/* A PE's elements: in place where I see them, else copied into the spare block. */
static const void* elements(const void* symmetric, size_t bytes, int pe, char* spare) {
  const char* view = sn_view(symmetric, bytes, pe);
  if (view) return view;
  shmem_getmem(spare, symmetric, bytes, pe);
  return spare;
}

/* ---- Small: the leader's result grows in its stage ---- */

static void add_elements(const reduction* r, const void* symmetric, int pe) {
  const void* more = elements(symmetric, r->count * r->unit, pe, r->scratch);
  r->combine(sn_ctl.stage, sn_ctl.stage, more, r->count);
}

/* Up a tree of leaders, and the result down again. */
static void combine_leaders_stages(const reduction* r) {
  const int me = r->plan->my_group, groups = r->plan->groups;
  SN_FOR_CHILDREN(step, me, groups) {
    const int child = sn_leader(r->plan, me + step);
    sn_await(child);
    add_elements(r, sn_ctl.stage, child);
  }
  if (me) {
    sn_notify(sn_leader(r->plan, sn_parent(me)));
    sn_await(sn_leader(r->plan, sn_parent(me)));
  }
  SN_FOR_CHILDREN(step, me, groups) {
    const int child = sn_leader(r->plan, me + step);
    sn_push(sn_ctl.stage, sn_ctl.stage, r->count * r->unit, child);
    sn_notify(child);
  }
}

static void lead_small(const reduction* r) {
  const sn_plan* plan = r->plan;
  const int size = sn_group_size(plan, plan->my_group);
  memcpy(sn_ctl.stage, r->source, r->count * r->unit);
  for (int place = 1; place < size; place++) {
    const int pe = sn_pe_at(plan, plan->my_group, place);
    sn_await(pe);
    add_elements(r, r->source, pe);
  }
  combine_leaders_stages(r);
  for (int place = 0; place < size; place++)
    sn_push(r->dest, sn_ctl.stage, r->count * r->unit, sn_pe_at(plan, plan->my_group, place));
  sn_release_group(plan);
}

static void reduce_small(const reduction* r) {
  if (r->plan->my_place == 0) {
    lead_small(r);
  } else {
    sn_gather_group(r->plan);
    sn_release_group(r->plan);
  }
}

/* ---- Large: slices ---- */

/* The bytes of slice i of n: whole cache lines, whole elements. */
static size_t slice_begin(const reduction* r, int i, int n) {
  const size_t chunk = r->unit * 64, chunks = (r->count * r->unit + chunk - 1) / chunk;
  const size_t begin = chunks * (size_t)i / (size_t)n * chunk;
  return begin < r->count * r->unit ? begin : r->count * r->unit;
}

/* The PEs whose elements are combined: my group, or the leaders with me in front. */
typedef int pe_list(const sn_plan* plan, int i);
static int member(const sn_plan* plan, int i) { return sn_pe_at(plan, plan->my_group, i); }
static int other_leader(const sn_plan* plan, int i) {
  return sn_leader(plan, (plan->my_group + i) % plan->groups);
}

static void combine_block(const reduction* r, const char* from, size_t at, size_t bytes, pe_list* pe, int pes,
                          char* out) {
  const size_t count = bytes / r->unit;
  const void* first = elements(from + at, bytes, pe(r->plan, 0), r->scratch);
  if (pes == 1 && out != first) memcpy(out, first, bytes);
  for (int i = 1; i < pes; i++) {
    const void* next = elements(from + at, bytes, pe(r->plan, i), r->scratch + r->block);
    r->combine(out, i == 1 ? first : out, next, count);
  }
}

/* Combines bytes `begin` to `end` of `from` on all PEs of the list into the dest of the first. */
static void combine_slice(const reduction* r, const char* from, size_t begin, size_t end, pe_list* pe,
                          int pes) {
  const size_t step = r->block / r->unit * r->unit;
  const int owner = pe(r->plan, 0);
  for (size_t at = begin; at < end; at += step) {
    const size_t bytes = end - at < step ? end - at : step;
    char *view = sn_view(r->dest + at, bytes, owner), *out = view ? view : r->scratch;
    combine_block(r, from, at, bytes, pe, pes, out);
    if (!view) sn_push(r->dest + at, out, bytes, owner);
  }
}

static void combine_leaders_slices(const reduction* r) {
  const sn_plan* plan = r->plan;
  const int groups = plan->groups, me = plan->my_group;
  reduction between = *r;
  if (!sn_view(r->dest, r->count * r->unit, other_leader(plan, 1))) between.block = fetched_bytes;
  sn_meet_leaders(plan);
  combine_slice(&between, r->dest, slice_begin(r, me, groups), slice_begin(r, me + 1, groups), other_leader,
                groups);
  sn_meet_leaders(plan);
  for (int i = 1; i < groups; i++) {
    const int group = (me + i) % groups;
    const size_t begin = slice_begin(r, group, groups), end = slice_begin(r, group + 1, groups);
    sn_pull(r->dest + begin, r->dest + begin, end - begin, sn_leader(plan, group));
  }
  sn_meet_leaders(plan);
}

static void reduce_large(const reduction* r) {
  const sn_plan* plan = r->plan;
  const int size = sn_group_size(plan, plan->my_group), place = plan->my_place;
  sn_gather_group(plan); /* all are here: sources may be read, the leader's dest written */
  sn_release_group(plan);
  combine_slice(r, r->source, slice_begin(r, place, size), slice_begin(r, place + 1, size), member, size);
  sn_gather_group(plan);
  if (place == 0 && plan->groups > 1) combine_leaders_slices(r);
  sn_release_group(plan);
  if (place) sn_pull(r->dest, r->dest, r->count * r->unit, sn_leader(plan, plan->my_group));
  sn_gather_group(plan); /* all have read: the leader's dest is the user's again */
}

int sn_reduce(const sn_plan* plan, void* dest, const void* source, size_t count, size_t unit,
              sn_kernel* combine) {
  if (count == 0) return SHNODE_OK;
  char* scratch = sn_scratch(2 * (plan->groups > 1 ? fetched_bytes : block_bytes));
  const reduction r = {plan, dest, source, count, unit, combine, block_bytes, scratch};
  if (!r.scratch) return SHNODE_ERR_MEMORY;
  if (count * unit <= small_bytes)
    reduce_small(&r);
  else
    reduce_large(&r);
  return SHNODE_OK;
}
