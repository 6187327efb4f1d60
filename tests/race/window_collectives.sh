# Collectives of ranks that share a window of MPI, also those that are completed later: which accesses they order, with each MPI of $FLAVOURS.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2016,SC2046,SC2317
. "$SOURCE_TREE/tests/race/window_programs.sh"

# What is done between its start and its end is not ordered, nor what another rank has sent that nobody has received.
a_collective_orders_what_came_before_its_start() {
  local each bodies=()
  for each in 'MPI_Ibarrier(MPI_COMM_WORLD, &r)' 'MPI_Iallreduce(&me, &all[0], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &r)' 'MPI_Ialltoall(all, 1, MPI_INT, its, 1, MPI_INT, MPI_COMM_WORLD, &r)'; do
    bodies+=('MPI_Request r; int all[4] = {0}, its[4]; (void)all, (void)its;
      if (me == 0) { mine[7] = 1; '"$each"'; mine[8] = 1; MPI_Wait(&r, MPI_STATUS_IGNORE); mine[9] = 1; MPI_Send(NULL, 0, MPI_INT, 1, 5, MPI_COMM_WORLD); }
      else { '"$each"'; if (me == 1) later(); MPI_Wait(&r, MPI_STATUS_IGNORE); if (me == 1) sum += first[place]; if (me == 1) MPI_Recv(NULL, 0, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }')
  done
  told_all 3 7 '8 9' "${bodies[@]}"
}
# Rank 0 has left them all when rank 1 enters the first one, or the other way round.
collectives_with_a_root_order_along_their_data_when_they_are_complete() {
  local each bodies=()
  for each in 'MPI_Ibcast(&unit, 1, MPI_INT, 0, MPI_COMM_WORLD, &r)' 'MPI_Iscatter(all, 1, MPI_INT, &unit, 1, MPI_INT, 0, MPI_COMM_WORLD, &r)'; do
    bodies+=('MPI_Request r; int all[4] = {0}; (void)all; if (me == 1) sum += first[6]; for (int i = 7; i < 30; i++) { if (me == 0) mine[i] = 1;
      if (me == 1 && i == 7) later(); '"$each"'; MPI_Wait(&r, MPI_STATUS_IGNORE); if (me == 1 && i == 7) sum += first[place]; if (me == 0 && place == 6 && i == 7) mine[6] = 1; }')
  done
  for each in 'MPI_Ireduce(&me, &unit, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD, &r)' 'MPI_Igather(&me, 1, MPI_INT, all, 1, MPI_INT, 0, MPI_COMM_WORLD, &r)'; do
    bodies+=('MPI_Request r; int all[4] = {0}; (void)all; if (me == 0) sum += next[6]; for (int i = 7; i < 30; i++) { if (me == 1) mine[i] = 1;
      if (me == 0 && i == 7) later(); '"$each"'; MPI_Wait(&r, MPI_STATUS_IGNORE); if (me == 0 && i == 7) sum += next[place]; if (me == 1 && place == 6 && i == 7) mine[6] = 1; }')
  done
  told_all 3 7 '8 20 6' "${bodies[@]}"
}
many_collectives_may_be_under_way() {
  clean 'MPI_Request r[40]; int buffer[40] = {0}; for (int i = 0; i < 40; i++) { if (me == i % n) mine[i] = 1;
      if (i % 2) MPI_Ibarrier(MPI_COMM_WORLD, &r[i]); else MPI_Ibcast(&buffer[i], 1, MPI_INT, i % n, MPI_COMM_WORLD, &r[i]); }
    for (int i = 39; i >= 0; i--) { int *its; MPI_Wait(&r[i], MPI_STATUS_IGNORE); MPI_Win_shared_query(win, i % n, &bytes, &unit, &its); sum += its[i]; }' 3
  clean 'MPI_Request r[2]; int done = 0, at; mine[7] = 1; MPI_Ibarrier(MPI_COMM_WORLD, &r[0]); MPI_Bcast(&unit, 1, MPI_INT, 0, MPI_COMM_WORLD); MPI_Ibarrier(MPI_COMM_WORLD, &r[1]);
    while (!done) MPI_Testany(2, r, &at, &done, MPI_STATUS_IGNORE); if (at == 0) sum += next[7]; MPI_Wait(&r[1 - at], MPI_STATUS_IGNORE); sum += next[7];' 3
}
# Rank 0 is eight broadcasts ahead when rank 1 leaves the barrier.
a_root_that_is_ahead_is_not_taken_for_the_barrier_before() {
  told 'MPI_Request r; if (me == 0) mine[7] = 1; MPI_Ibarrier(MPI_COMM_WORLD, &r); if (me == 1) later(); MPI_Wait(&r, MPI_STATUS_IGNORE); if (me == 1) sum += first[place];
    for (int i = 0; i < 8; i++) { if (me == 0 && i == 7) mine[8] = 1; MPI_Bcast(&unit, 1, MPI_INT, 0, MPI_COMM_WORLD); }' 2
}
# Ranks 0 and 2 are no neighbours in a ring of four, nor is 0 a neighbour of 1 where the edges go the other way only.
collectives_of_neighbours_order_neighbours() {
  local each bodies=()
  for each in 'MPI_Neighbor_allgather(&me, 1, MPI_INT, all, 1, MPI_INT, ring)' 'MPI_Neighbor_alltoall(all, 1, MPI_INT, its, 1, MPI_INT, ring)' \
    'MPI_Ineighbor_allgather(&me, 1, MPI_INT, all, 1, MPI_INT, ring, &r); MPI_Wait(&r, MPI_STATUS_IGNORE)'; do
    bodies+=('MPI_Comm ring; MPI_Request r; int all[4] = {0}, its[4]; (void)r, (void)its; MPI_Cart_create(MPI_COMM_WORLD, 1, (int[]){n}, (int[]){1}, 0, &ring); MPI_Barrier(MPI_COMM_WORLD);
      if (me == 0) mine[7] = mine[8] = 1; '"$each"'; if (me == 1 || me == 3) sum += first[7]; if (me == 2 && place == 8) sum += first[8]; MPI_Comm_free(&ring);')
  done
  bodies+=('MPI_Comm ring; int token[1] = {0}, from = (me + n - 1) % n, to = (me + 1) % n; MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &from, MPI_UNWEIGHTED, 1, &to, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &ring); MPI_Barrier(MPI_COMM_WORLD);
    if (me == 0) mine[7] = mine[8] = 1; MPI_Neighbor_allgather(&me, 1, MPI_INT, token, 1, MPI_INT, ring); if (me == 1) sum += first[7]; if (me == 3 && place == 8) sum += first[8]; MPI_Comm_free(&ring);')
  bodies+=('MPI_Comm ring; int token[4] = {0}, at[4] = {1, 2, 3, 4}, to[4] = {1, 0, 3, 2}; MPI_Graph_create(MPI_COMM_WORLD, 4, at, to, 0, &ring); MPI_Barrier(MPI_COMM_WORLD);
    if (me == 0) mine[7] = mine[8] = 1; MPI_Neighbor_allgather(&me, 1, MPI_INT, token, 1, MPI_INT, ring); if (me == 1) sum += first[7]; if (me == 2 && place == 8) sum += first[8]; MPI_Comm_free(&ring);')
  told_all 4 7 8 "${bodies[@]}"
}
scans_order_upwards() {
  local each bodies=()
  for each in 'MPI_Scan(&me, &unit, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD)' 'MPI_Exscan(&me, &unit, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD)' \
    'MPI_Iscan(&me, &unit, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &r); MPI_Wait(&r, MPI_STATUS_IGNORE)'; do
    bodies+=('MPI_Request r; (void)r; if (me == 0) mine[7] = 1; if (me == 2) mine[8] = 1; '"$each"'; if (me != 0) sum += first[7]; if (me == 1 && place == 8) sum += next[8];')
  done
  told_all 3 7 8 "${bodies[@]}"
}
a_communicator_that_is_made_later_is_a_collective() {
  told 'MPI_Request r; MPI_Comm copy; int token = 0; if (me == 0) mine[7] = 1; MPI_Comm_idup(MPI_COMM_WORLD, &copy, &r); if (me == 0) mine[8] = 1; MPI_Wait(&r, MPI_STATUS_IGNORE); if (me == 1) sum += first[place];
    MPI_Barrier(copy); if (me == 0) { mine[9] = 1; MPI_Send(&me, 1, MPI_INT, 1, 5, copy); mine[10] = 1; MPI_Send(&me, 1, MPI_INT, 1, 5, copy); }
    if (me == 1) { if (place > 8) later(); MPI_Recv(&token, 1, MPI_INT, 0, 5, copy, MPI_STATUS_IGNORE); sum += first[place > 8 ? place : 9]; MPI_Recv(&token, 1, MPI_INT, 0, 5, copy, MPI_STATUS_IGNORE); } MPI_Comm_free(&copy);' 2 '7 9' '8 10'
}
# One that is made of some ranks orders those.
a_communicator_orders_those_that_make_it() {
  told 'MPI_Comm half, copy; MPI_Comm_split(MPI_COMM_WORLD, me / 2, me, &half); MPI_Barrier(MPI_COMM_WORLD); if (me == 0) mine[7] = mine[8] = 1; if (me >= 2) later();
    MPI_Comm_dup(half, &copy); if (me == 1) sum += first[7]; if (me == 2 && place == 8) sum += first[8]; MPI_Comm_free(&copy); MPI_Comm_free(&half);' 4
}
collectives_between_two_groups_order_along_their_data() {
  local split='MPI_Comm half, inter; MPI_Comm_split(MPI_COMM_WORLD, me % 2, me, &half); MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - me % 2, 3, &inter); MPI_Barrier(MPI_COMM_WORLD);' free='MPI_Comm_free(&half); MPI_Comm_free(&inter);'
  local each bodies=()
  for each in 'MPI_Bcast(&unit, 1, MPI_INT, root, inter)' 'MPI_Request r; MPI_Ibcast(&unit, 1, MPI_INT, root, inter, &r); MPI_Wait(&r, MPI_STATUS_IGNORE)'; do
    bodies+=("$split"'const int root = me == 0 ? MPI_ROOT : me % 2 == 0 ? MPI_PROC_NULL : 0; if (me == 0) mine[7] = mine[8] = 1; if (me == 2) later(); '"$each"'; if (me % 2) sum += first[7]; if (me == 2 && place == 8) sum += first[8]; '"$free")
  done
  bodies+=("$split"'const int root = me == 0 ? MPI_ROOT : me % 2 == 0 ? MPI_PROC_NULL : 0; int all[4]; if (me == 1) mine[7] = 1; if (me == 2) mine[8] = 1; MPI_Gather(&me, 1, MPI_INT, all, 1, MPI_INT, root, inter);
    if (me == 0) later(); if (me == 0) sum += next[7]; MPI_Win_shared_query(win, 2, &bytes, &unit, &next); if (me == 0 && place == 8) sum += next[8]; '"$free")
  bodies+=("$split"'if (me == 0) mine[7] = 1; MPI_Barrier(inter); if (me == 0) mine[8] = 1; if (me != 0) later(); if (me != 0) sum += first[place]; '"$free")
  told_all 4 7 8 "${bodies[@]}"
  # (By MPI_Ibarrier of Open MPI 4.1 the first of each group alone waits for all of the other.)
  clean "$split"'MPI_Comm all; MPI_Request r; mine[7] = 1; MPI_Ibarrier(inter, &r); MPI_Wait(&r, MPI_STATUS_IGNORE); if (me < 2) sum += next[7]; MPI_Intercomm_merge(inter, me % 2, &all); mine[8] = 1; MPI_Barrier(all); sum += next[8]; MPI_Comm_free(&all);'"$free" 4
}
# Which may be started in different orders.
persistent_collectives_are_told_apart() {
  with_routine MPI_Barrier_init
  told 'MPI_Request r[2]; MPI_Bcast_init(&unit, 1, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &r[0]); MPI_Bcast_init(&sum, 1, MPI_INT, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &r[1]); MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 7; i < 20; i++) { if (me == 0) mine[i] = 1; if (me == 1 && i == 7) later(); if (me == 1) MPI_Start(&r[1]); MPI_Start(&r[0]); if (me != 1) MPI_Start(&r[1]); MPI_Wait(&r[0], MPI_STATUS_IGNORE);
      if (me == 1 && i == 7) sum += first[place]; MPI_Wait(&r[1], MPI_STATUS_IGNORE); }
    MPI_Request_free(&r[0]), MPI_Request_free(&r[1]);' 2
  told 'MPI_Request r; MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &r); for (int i = 7; i < 40; i++) { mine[i] = 1; MPI_Start(&r); if (i == 7) mine[6] = 1; if (place == 6 && i == 7) later(); MPI_Wait(&r, MPI_STATUS_IGNORE); sum += next[i]; if (i == 7 && place == 6) sum += next[6]; }
    MPI_Request_free(&r);' 3 7 6
}
