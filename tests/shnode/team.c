/* Members, nodes, look-ups, and every error that a call can have.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "check.h"

void check_errors_before_the_team(void) {
  long* word = (long*)(void*)registered;
  EXPECT(shnode_init() == SHNODE_ERR_AGAIN);
  EXPECT(shnode_is_team_member(0) == 0 && shnode_error() == SHNODE_ERR_NO_TEAM);
  EXPECT(shnode_get_member_remote_addr(0, word) == NULL);
  EXPECT(shnode_long_p(word, 1, 0) == SHNODE_ERR_NO_TEAM);
  EXPECT(shnode_long_g(word, 0) == 0);
  EXPECT(shnode_barrier_all() == SHNODE_ERR_NO_TEAM);
  EXPECT(shnode_add_data(word) == SHNODE_ERR_NO_TEAM);
  EXPECT(shnode_quiet() == SHNODE_ERR_NO_TEAM);
  EXPECT(shnode_create_team(NULL) == SHNODE_ERR_ARGUMENT);
  EXPECT(shnode_create_team(&word) == SHNODE_ERR_ARGUMENT); /* not symmetric */
  EXPECT(shnode_create_team(shmem_my_pe() ? word : NULL) == SHNODE_ERR_ARGUMENT);
}

static void members_are_a_partition(void) {
  const int me = shmem_my_pe(), n = shmem_n_pes();
  int members = 0, seen_me = 0;
  for (int pe = 0; pe < n; pe++) {
    EXPECT(shnode_is_team_member(pe) == (shnode_node_of(pe) == shnode_node_of(me)));
    EXPECT(shnode_node_of(pe) >= 0 && shnode_node_of(pe) < shnode_node_count());
    members += shnode_is_team_member(pe);
  }
  EXPECT(members == shnode_team_size() && shnode_is_team_member(me));
  for (int i = 0; i < members; i++) {
    EXPECT(shnode_is_team_member(shnode_team_member(i)));
    seen_me += shnode_team_member(i) == me;
  }
  EXPECT(seen_me == 1);
  EXPECT(shnode_am_team_leader() == (shnode_team_member(0) == me));
  EXPECT(shnode_is_team_member(shnode_group_leader()));
}

/* Everybody writes what it believes into everybody's memory. */
static void all_pes_agree(void) {
  const int me = shmem_my_pe(), n = shmem_n_pes();
  int *all = (int*)(void*)unregistered, *mine = all + n * n;
  for (int pe = 0; pe < n; pe++) mine[pe] = shnode_node_of(pe);
  shmem_barrier_all();
  for (int pe = 0; pe < n; pe++) shmem_int_put(all + me * n, mine, (size_t)n, pe);
  shmem_barrier_all();
  for (int i = 0; i < n * n; i++) EXPECT(all[i] == mine[i % n]);
  shmem_barrier_all();
}

void check_team(void) {
  members_are_a_partition();
  all_pes_agree();
  EXPECT(shnode_create_team(registered) == SHNODE_ERR_AGAIN);
  EXPECT(shnode_is_team_member(-1) == 0 && shnode_error() == SHNODE_ERR_PE);
  EXPECT(shnode_is_team_member(shmem_n_pes()) == 0);
  EXPECT(shnode_node_of(-1) == SHNODE_ERR_PE);
  EXPECT(shnode_team_member(shnode_team_size()) == SHNODE_ERR_ARGUMENT);
  for (int code = 5; code > -20; code--) EXPECT(shnode_strerror(code) && *shnode_strerror(code));
}

static void addresses_lead_to_copies(void) {
  const int me = shmem_my_pe(), n = shmem_n_pes();
  int* base = (int*)(void*)registered;
  for (int i = 0; i < 1000; i++) base[i] = 1000 * me + i;
  shmem_barrier_all();
  for (int pe = 0; pe < n; pe++)
    for (int i = 0; i < 1000; i += 37) {
      const int* there = shnode_get_member_remote_addr(pe, base + i);
      EXPECT((there != NULL) == shnode_is_team_member(pe));
      EXPECT(!there || *there == 1000 * pe + i);
      if (!there) EXPECT(shnode_error() == SHNODE_ERR_NOT_SHARED);
    }
  EXPECT(shnode_get_member_remote_addr(me, base) == (void*)base);
  shmem_barrier_all();
}

static void outside_is_an_error(void) {
  int local = 0;
  EXPECT(shnode_get_member_remote_addr(0, unregistered) == NULL && shnode_error() == SHNODE_ERR_UNREGISTERED);
  EXPECT(shnode_get_member_remote_addr(0, &local) == NULL && shnode_error() == SHNODE_ERR_UNREGISTERED);
  EXPECT(shnode_get_member_remote_addr(0, NULL) == NULL && shnode_error() == SHNODE_ERR_UNREGISTERED);
  EXPECT(shnode_get_member_remote_addr(-1, registered) == NULL && shnode_error() == SHNODE_ERR_PE);
  EXPECT(shnode_get_member_remote_addr(shmem_n_pes(), registered) == NULL && shnode_error() == SHNODE_ERR_PE);
  EXPECT(shnode_int_put((int*)(void*)unregistered, &local, 1, 0) == SHNODE_ERR_UNREGISTERED);
  EXPECT(shnode_int_get(&local, (int*)(void*)unregistered, 1, 0) == SHNODE_ERR_UNREGISTERED);
  EXPECT(shnode_int_p((int*)(void*)registered, 1, 1 << 20) == SHNODE_ERR_PE);
  EXPECT(shnode_int_g((int*)(void*)registered, -7) == 0 && shnode_error() == SHNODE_ERR_PE);
  EXPECT(shnode_putmem_flag(registered, &local, 4, (long*)(void*)unregistered, 1, 0) ==
         SHNODE_ERR_UNREGISTERED);
  EXPECT(shnode_putmem_flag(registered, &local, 4, (long*)(void*)(registered + 1), 1, 0) ==
         SHNODE_ERR_ARGUMENT);
}

/* Objects of a known size end where they end, may overlap, and go. */
static void sizes_are_kept(void) {
  int local;
  char byte[2] = {0};
  char* object = unregistered + 4096;
  EXPECT(shnode_add_object(object, 0) == SHNODE_ERR_ARGUMENT && shnode_add_data(NULL) == SHNODE_ERR_ARGUMENT);
  EXPECT(shnode_add_data(&local) == SHNODE_ERR_ARGUMENT);
  EXPECT(shnode_add_object(object, SIZE_MAX) == SHNODE_ERR_ARGUMENT);
  EXPECT(shnode_add_object(object, (size_t)1 << 46) == SHNODE_ERR_ARGUMENT); /* not all of it is symmetric */
  EXPECT(shnode_remove_data(object) == SHNODE_ERR_UNREGISTERED);
  const int status = shnode_add_object(object, 100);
  EXPECT(status == SHNODE_OK);
  EXPECT(shnode_get_member_remote_addr(shmem_my_pe(), object + 99) == object + 99);
  EXPECT(shnode_get_member_remote_addr(shmem_my_pe(), object + 100) == NULL);
  EXPECT(shnode_get_member_remote_addr(shmem_my_pe(), object - 1) == NULL);
  EXPECT(shnode_putmem(object + 99, byte, 1, shmem_my_pe()) == SHNODE_OK);
  EXPECT(shnode_putmem(object + 99, byte, 2, shmem_my_pe()) == SHNODE_ERR_UNREGISTERED);
  EXPECT(shnode_getmem(byte, object + 100, 0, shmem_my_pe()) == SHNODE_ERR_UNREGISTERED);
  EXPECT(shnode_int_put((int*)(void*)object, (int*)(void*)object, SIZE_MAX / 4 + 2, shmem_my_pe()) ==
         SHNODE_ERR_UNREGISTERED);
  EXPECT(shnode_int_get((int*)(void*)object, (int*)(void*)object, SIZE_MAX / 4 + 2, shmem_my_pe()) ==
         SHNODE_ERR_UNREGISTERED);
  EXPECT(shnode_add_object(object, 200) == SHNODE_OK && shnode_add_object(object + 10, 10) == SHNODE_OK);
  EXPECT(shnode_get_member_remote_addr(shmem_my_pe(), object + 150) == object + 150);
  EXPECT(shnode_remove_data(object + 10) == SHNODE_OK && shnode_remove_data(object) == SHNODE_OK);
  EXPECT(shnode_get_member_remote_addr(shmem_my_pe(), object) == NULL);
}

/* Static data may be visible or not, here and there alike: transfers work in both cases. */
static void globals_work(void) {
  const int me = shmem_my_pe(), n = shmem_n_pes();
  const int status = shnode_add_data(globals);
  EXPECT(status == SHNODE_OK || status == SHNODE_ERR_NOT_SHARED);
  EXPECT(shnode_int_p((int*)(void*)globals + 5000, me + 1, (me + 1) % n) == SHNODE_OK);
  EXPECT(shnode_barrier_all() == SHNODE_OK);
  EXPECT(((int*)(void*)globals)[5000] == (me + n - 1) % n + 1);
  EXPECT(shnode_barrier_all() == SHNODE_OK);
  EXPECT(shnode_remove_data(globals) == SHNODE_OK);
}

/* Zeroed data lie behind those that have a value, in another mapping of the process. */
static void data_reach_into_zeroed_data(void) {
  static int first = 1;
  const int me = shmem_my_pe(), n = shmem_n_pes(),
            *last = (const int*)(const void*)(globals + sizeof globals);
  const int status = shnode_add_data(&first);
  EXPECT(status == SHNODE_OK || status == SHNODE_ERR_NOT_SHARED);
  EXPECT(shnode_int_p((int*)last - 1, me + 1, (me + 1) % n) == SHNODE_OK);
  EXPECT(shnode_barrier_all() == SHNODE_OK);
  EXPECT(last[-1] == (me + n - 1) % n + 1);
  EXPECT(shnode_barrier_all() == SHNODE_OK);
  EXPECT(shnode_remove_data(&first) == SHNODE_OK);
}

void check_objects(void) {
  addresses_lead_to_copies();
  outside_is_an_error();
  sizes_are_kept();
  globals_work();
  data_reach_into_zeroed_data();
}
