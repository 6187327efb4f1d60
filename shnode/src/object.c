/* The register of objects: at which distance I see each member's copy.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Invariants: sorted by beginning. An object is never changed, only replaced, while no other thread is in
 * shnode; then what look-ups remember is forgotten. */
#include <stdlib.h>

#include "internal.h"

static const shnode_object nothing;
const shnode_object* shnode_last_found = &nothing;
const shnode_object* shnode_last_transferred = &nothing;

/* A growing list of pointers. */
typedef struct {
  void** item;
  size_t count, room;
} list;
static list objects;

static int list_reserve(list* l) {
  if (l->count < l->room) return 1;
  const size_t room = l->room ? 2 * l->room : 16;
  void** item = realloc(l->item, room * sizeof *item);
  if (!item) return 0;
  l->item = item;
  l->room = room;
  return 1;
}

static void list_insert(list* l, size_t place, void* item) {
  memmove(l->item + place + 1, l->item + place, (l->count++ - place) * sizeof *l->item);
  l->item[place] = item;
}

static void list_free(list* l) {
  for (size_t i = 0; i < l->count; i++) free(l->item[i]);
  free(l->item);
  memset(l, 0, sizeof *l);
}

static const shnode_object* object(size_t i) { return objects.item[i]; }

/* How many objects begin at or before the address. */
static size_t count_up_to(uintptr_t address) {
  size_t low = 0, high = objects.count;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if ((uintptr_t)object(middle)->begin <= address)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* Objects may overlap: when the nearest one is too short, those that begin further left are looked at. */
const shnode_object* sn_object_at(const void* data, size_t bytes) {
  for (size_t i = count_up_to((uintptr_t)data); i-- > 0;) {
    const uintptr_t offset = shnode_offset(object(i), data);
    const uintptr_t size = (uintptr_t)object(i)->bytes;
    if (offset < size && bytes <= size - offset) return object(i);
  }
  return NULL;
}

char* sn_view(const void* data, size_t bytes, int pe) {
  if (pe == sn_me) return (char*)(uintptr_t)data;
  const shnode_object* found = sn_object_at(data, bytes);
  return found && sn_sees(found, pe) ? shnode_there(found, data, pe) : NULL;
}

static int look_up(const void* data, int pe, const shnode_object** found) {
  const int status = sn_ready();
  if (status) return status;
  if (pe < 0 || pe >= sn_pes) return SHNODE_ERR_PE;
  *found = sn_object_at(data, 1);
  if (!*found) return SHNODE_ERR_UNREGISTERED;
  if (sn_set.queries) __atomic_store_n(&shnode_last_found, *found, __ATOMIC_RELAXED);
  return sn_sees(*found, pe) ? SHNODE_OK : SHNODE_ERR_NOT_SHARED;
}

/* By the address's page: programs that go to and fro between objects find them here. */
enum { pages_known = 64 }; /* 2 to the power of the 6 bits that the hash has */
static const shnode_object* known[pages_known];

void* shnode_find(const void* data, int pe) {
  const shnode_object** place = &known[((uint32_t)((uintptr_t)data >> 12) * UINT32_C(0x9e3779b1)) >> 26];
  const shnode_object* found = __atomic_load_n(place, __ATOMIC_RELAXED);
  if (found && shnode_sees(found, data, pe)) {
    __atomic_store_n(&shnode_last_found, found, __ATOMIC_RELAXED);
    return shnode_there(found, data, pe);
  }
  if (sn_fail(look_up(data, pe, &found))) return NULL;
  /* Switched off: nothing is remembered, so that each query comes here, and the system answers it. */
  if (!sn_set.queries) return pe == sn_me ? (void*)(uintptr_t)data : shmem_ptr(data, pe);
  __atomic_store_n(place, found, __ATOMIC_RELAXED);
  return shnode_there(found, data, pe);
}

/* Asks the system for each member. The size is not known yet. */
static shnode_object* look_at(const void* data) {
  const unsigned needed = (unsigned)sn_members[sn_member_count - 1] + 1; /* they come in their order */
  const unsigned places = needed > SHNODE_PLACES ? needed : SHNODE_PLACES;
  shnode_object* fresh = calloc(1, offsetof(shnode_object, view) + places * sizeof(shnode_view));
  if (!fresh) return NULL;
  fresh->begin = data;
  fresh->places = places;
  for (int i = 0; i < sn_member_count; i++) {
    const int pe = sn_members[i];
    char* there = pe == sn_me ? (char*)(uintptr_t)data : shmem_ptr(data, pe);
    const shnode_view view = {(char*)1, (char*)((uintptr_t)there - (uintptr_t)data)};
    if (there) fresh->view[pe] = view;
  }
  return fresh;
}

static void set_size(shnode_object* fresh, size_t bytes) {
  fresh->bytes = (char*)bytes;
  for (int i = 0; i < sn_member_count; i++)
    if (sn_sees(fresh, sn_members[i])) fresh->view[sn_members[i]].bytes = (char*)bytes;
}

/* What look-ups remember may soon be hidden by a new object, or gone. */
static void forget_last(void) {
  __atomic_store_n(&shnode_last_found, &nothing, __ATOMIC_RELAXED);
  __atomic_store_n(&shnode_last_transferred, &nothing, __ATOMIC_RELAXED);
  memset(known, 0, sizeof known);
}

/* The same beginning again replaces the object. */
static void publish(shnode_object* fresh) {
  const size_t place = count_up_to((uintptr_t)fresh->begin);
  if (place > 0 && object(place - 1)->begin == fresh->begin) {
    free(objects.item[place - 1]);
    objects.item[place - 1] = fresh;
  } else {
    list_insert(&objects, place, fresh);
  }
}

static int all_visible(const shnode_object* registered) {
  for (int i = 0; i < sn_member_count; i++)
    if (!sn_sees(registered, sn_members[i])) return 0;
  return 1;
}

int sn_register(const void* data, size_t bytes) {
  shnode_object* fresh = look_at(data);
  if (!fresh || !list_reserve(&objects)) {
    free(fresh);
    return SHNODE_ERR_MEMORY;
  }
  set_size(fresh, bytes ? bytes : sn_reach(fresh));
  forget_last();
  publish(fresh);
  return all_visible(fresh) ? SHNODE_OK : SHNODE_ERR_NOT_SHARED;
}

int shnode_add_data(const void* data) {
  int status = sn_ready();
  if (!status && !sn_is_symmetric(data, 1)) status = SHNODE_ERR_ARGUMENT;
  return sn_fail(status ? status : sn_register(data, 0));
}

int shnode_add_object(const void* data, size_t bytes) {
  int status = sn_ready();
  if (!status && !sn_is_symmetric(data, bytes)) status = SHNODE_ERR_ARGUMENT;
  return sn_fail(status ? status : sn_register(data, bytes));
}

int shnode_remove_data(const void* data) {
  const int status = sn_ready();
  if (status) return sn_fail(status);
  const size_t place = count_up_to((uintptr_t)data);
  if (place == 0 || object(place - 1)->begin != (const char*)data) return sn_fail(SHNODE_ERR_UNREGISTERED);
  forget_last();
  free(objects.item[place - 1]);
  memmove(objects.item + place - 1, objects.item + place,
          (--objects.count - place + 1) * sizeof *objects.item);
  return SHNODE_OK;
}

int sn_open_register(void) {
  return sn_register(sn_ctl.stage, sn_stage_bytes) == SHNODE_ERR_MEMORY ? SHNODE_ERR_MEMORY : SHNODE_OK;
}

void sn_close_register(void) {
  forget_last();
  list_free(&objects);
}
