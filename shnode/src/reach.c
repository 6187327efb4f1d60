/* How far memory reaches from an address on with the same delta: for an object of unknown size.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <inttypes.h>
#include <stdio.h>

#include "internal.h"

enum { page_bytes = 4096 };

/* A line of /proc/self/maps. */
typedef struct {
  uintptr_t from, to;
  char mode[8];
  char source[64]; /* inode and name; "0" and perhaps blanks for memory of no file */
} mapping;

static int parse(const char* line, mapping* found) {
  memset(found, 0, sizeof *found);
  return sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %7s %*s %*s %63[^\n]", &found->from, &found->to, found->mode,
                found->source) >= 2;
}

/* One region: neighbours of the same file, and a program's zeroed data, of no file, behind the rest of its data, which
 * are private. */
static int continues(const mapping* region, const mapping* next) {
  if (next->from != region->to || !region->source[0]) return 0;
  const int same_source = strcmp(next->source, region->source) == 0;
  return same_source || (region->mode[3] == 'p' && next->source[0] == '0' && !strchr(next->source, '['));
}

/* Linux lists a process's mappings in order of their addresses. Elsewhere only the rest of the page is sure to be
 * mapped in one piece. */
uintptr_t sn_mapping_end(const void* data) {
  const uintptr_t address = (uintptr_t)data;
  mapping region = {address, (address | (page_bytes - 1)) + 1, "", ""}, next;
  FILE* maps = fopen("/proc/self/maps", "r");
  if (!maps) return region.to;
  char line[512];
  while (fgets(line, sizeof line, maps)) {
    if (!parse(line, &next)) continue;
    if ((next.from <= address && address < next.to) || continues(&region, &next))
      region = next;
    else if (next.from > address)
      break; /* the rest lies further up: with many PEs the list is long, and slow to make */
  }
  fclose(maps);
  return region.to;
}

static int another_visible_member(const shnode_object* object) {
  for (int i = 0; i < sn_member_count; i++)
    if (sn_members[i] != sn_me && sn_sees(object, sn_members[i])) return sn_members[i];
  return sn_me;
}

static int same_delta(const shnode_object* object, size_t offset, int pe) {
  const char* mine = object->begin + offset;
  return shmem_ptr(mine, pe) == shnode_there(object, mine, pe);
}

/* The mapping may go on behind the symmetric part: bisect for the last byte that the peer sees. */
size_t sn_reach(const shnode_object* object) {
  size_t good = 0, bad = sn_mapping_end(object->begin) - (uintptr_t)object->begin;
  const int pe = another_visible_member(object);
  if (pe == sn_me || same_delta(object, bad - 1, pe)) return bad;
  while (bad - good > 1) {
    const size_t middle = good + (bad - good) / 2;
    if (same_delta(object, middle, pe))
      good = middle;
    else
      bad = middle;
  }
  return good + 1;
}
