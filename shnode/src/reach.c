/* How far memory reaches from an address on with the same delta: the size of an object that nobody told us.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <inttypes.h>
#include <stdio.h>

#include "internal.h"

enum { page_bytes = 4096 };

/* Linux lists a process's mappings in order of their addresses; neighbours of the same file are one region.
 * Elsewhere only the rest of the page is sure to be mapped in one piece. */
uintptr_t sn_mapping_end(const void* data) {
  const uintptr_t address = (uintptr_t)data;
  uintptr_t end = (address | (page_bytes - 1)) + 1;
  FILE* maps = fopen("/proc/self/maps", "r");
  if (!maps) return end;
  char line[512], inode[64] = "";
  uintptr_t from, to;
  while (fgets(line, sizeof line, maps)) {
    char its_inode[64] = "";
    if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %*s %*s %*s %63s", &from, &to, its_inode) < 2) continue;
    if (from <= address && address < to) {
      end = to;
      memcpy(inode, its_inode, sizeof inode);
    } else if (from == end && inode[0] && strcmp(inode, its_inode) == 0) {
      end = to;
    } else if (from > address) {
      break; /* the rest lies further up: with many PEs the list is long, and slow to make */
    }
  }
  fclose(maps);
  return end;
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
