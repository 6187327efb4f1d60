# Requests of ranks that share a window of MPI, however they are made, started and completed: which accesses they order, with each MPI of $FLAVOURS.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2016,SC2046,SC2317
. "$SOURCE_TREE/tests/race/window_programs.sh"

# Rank 0 has sent both messages when rank 1 receives the first one, by `r[0]`: it is ordered behind the store before that one, and not behind the other store.
# All that were added are one program.
bodies=()
function first_of_two { # RECEIVE [SEND [BEFORE [BEHIND]]]
  bodies+=('MPI_Request r[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL}, q = MPI_REQUEST_NULL; MPI_Status s[2]; int token[2] = {0}, flag = 0, at = 0, count = 0, at_all[2]; (void)flag, (void)at, (void)count, (void)at_all, (void)s;
    '"${3:-}"'
    if (me == 0) { mine[7] = 1; '"${2:-MPI_Send(&me, 1, MPI_INT, 1, 5, MPI_COMM_WORLD)}"'; mine[8] = 1; '"${2:-MPI_Send(&me, 1, MPI_INT, 1, 5, MPI_COMM_WORLD)}"'; }
    if (me == 1) { later(); '"$1"'; sum += first[place]; '"${4:-MPI_Recv(token, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, s)}"'; }
    if (r[0] != MPI_REQUEST_NULL) MPI_Request_free(&r[0]);
    if (q != MPI_REQUEST_NULL) MPI_Request_free(&q);')
}
function firsts_are_told { told_all 2 7 8 "${bodies[@]}"; }

persistent_requests_are_told_apart() {
  local each
  for each in 'MPI_Wait(&r[0], s)' 'MPI_Waitall(2, r, s)' 'while (!flag) MPI_Test(&r[0], &flag, MPI_STATUS_IGNORE)' 'while (!flag) MPI_Testall(2, r, &flag, MPI_STATUSES_IGNORE)' \
    'MPI_Waitany(2, r, &at, s)' 'while (!flag || at == MPI_UNDEFINED) MPI_Testany(2, r, &at, &flag, s)' 'MPI_Waitsome(2, r, &count, at_all, s)' \
    'while (count == 0) MPI_Testsome(2, r, &count, at_all, s)' 'while (!flag) MPI_Request_get_status(r[0], &flag, s)'; do
    first_of_two "MPI_Start(&r[0]); $each" '' 'MPI_Recv_init(token, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, &r[0]);' 'MPI_Wait(&r[0], s); MPI_Start(&r[0]); MPI_Wait(&r[0], s)'
  done
  firsts_are_told
}
persistent_sends_are_told_apart() {
  local each
  for each in Send Bsend Rsend; do
    [ $each = Bsend ] && continue
    first_of_two 'MPI_Recv(token, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, s)' 'MPI_Start(&q); MPI_Wait(&q, s)' "if (me == 0) MPI_${each}_init(&me, 1, MPI_INT, 1, 5, MPI_COMM_WORLD, &q);"
  done
  first_of_two 'MPI_Startall(1, r); MPI_Wait(r, s)' 'MPI_Startall(1, &q); MPI_Waitall(1, &q, s)' \
    'if (me == 0) MPI_Send_init(&me, 1, MPI_INT, 1, 5, MPI_COMM_WORLD, &q); else MPI_Recv_init(token, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &r[0]);'
  firsts_are_told
}
# A synchronous one says when it is complete that the receiver has come.
persistent_synchronous_sends_order_the_receiver() {
  told 'MPI_Request q; int token = 0; MPI_Ssend_init(&me, 1, MPI_INT, 1, 5, MPI_COMM_WORLD, &q);
    if (me == 0) for (int i = 0; i < 3; i++) { MPI_Start(&q); MPI_Wait(&q, MPI_STATUS_IGNORE); mine[7 + i] = 1; }
    if (me == 1) for (int i = 0; i < 3; i++) { sum += first[7 + i]; MPI_Recv(&token, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE); if (place == 8 && i == 1) { later(); sum += first[8]; } }
    MPI_Request_free(&q);' 2
}
# It says nothing of what the receiver has sent since.
synchronous_sends_take_no_message() {
  seen 'int token = 0; MPI_Request q;
    if (me == 0) { MPI_Issend(&me, 1, MPI_INT, 1, 5, MPI_COMM_WORLD, &q); later(); MPI_Wait(&q, MPI_STATUS_IGNORE); sum += next[7]; MPI_Recv(&token, 1, MPI_INT, 1, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }
    if (me == 1) { MPI_Recv(&token, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE); mine[7] = 1; MPI_Send(&me, 1, MPI_INT, 0, 6, MPI_COMM_WORLD); }'
}
requests_that_are_idle_bring_nothing() {
  seen 'MPI_Request r; int token = 0, flag; MPI_Recv_init(&token, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, &r);
    if (me == 0) { mine[7] = 1; MPI_Send(&me, 1, MPI_INT, 1, 5, MPI_COMM_WORLD); }
    if (me == 1) { later(); MPI_Wait(&r, MPI_STATUS_IGNORE); MPI_Test(&r, &flag, MPI_STATUS_IGNORE); sum += first[7]; MPI_Start(&r); MPI_Wait(&r, MPI_STATUS_IGNORE); }
    MPI_Request_free(&r);'
}
wildcards_are_told_apart_when_they_are_complete() {
  local each any='MPI_Irecv(token, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &r[0])'
  for each in 'MPI_Wait(&r[0], MPI_STATUS_IGNORE)' 'MPI_Waitall(2, r, MPI_STATUSES_IGNORE)' 'while (!flag) MPI_Test(&r[0], &flag, s)' 'MPI_Waitany(2, r, &at, MPI_STATUS_IGNORE)' \
    'while (count == 0) MPI_Testsome(2, r, &count, at_all, MPI_STATUSES_IGNORE)' 'while (!flag) MPI_Request_get_status(r[0], &flag, MPI_STATUS_IGNORE); sum += first[place]; MPI_Wait(&r[0], MPI_STATUS_IGNORE)'; do
    first_of_two "$any; $each"
  done
  first_of_two 'MPI_Irecv(token, 1, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &r[0]); MPI_Wait(&r[0], s)'
  first_of_two 'MPI_Irecv(token, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &r[0]); MPI_Wait(&r[0], s)'
  firsts_are_told
}
# Rank 1 waits for the second of its receives first, when nobody knows whether the first one, which is for any rank, has taken rank 0's first message. Then both are told.
receives_behind_a_wildcard_take_no_less_than_their_message() {
  told 'MPI_Request r[2]; int token[2];
    if (me == 0) { mine[7] = 1; MPI_Send(&me, 1, MPI_INT, 1, 5, MPI_COMM_WORLD); mine[8] = 1; MPI_Send(&me, 1, MPI_INT, 1, 5, MPI_COMM_WORLD); MPI_Recv(&token[0], 1, MPI_INT, 1, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }
    if (me == 1) { MPI_Irecv(&token[0], 1, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &r[0]); MPI_Irecv(&token[1], 1, MPI_INT, 0, 5, MPI_COMM_WORLD, &r[1]); later();
      MPI_Wait(&r[1], MPI_STATUS_IGNORE); if (place < 9) sum += first[place]; MPI_Wait(&r[0], MPI_STATUS_IGNORE); MPI_Send(&me, 1, MPI_INT, 0, 6, MPI_COMM_WORLD); }
    if (me == 0) { mine[9] = 1; MPI_Send(&me, 1, MPI_INT, 1, 5, MPI_COMM_WORLD); mine[10] = 1; MPI_Send(&me, 1, MPI_INT, 1, 5, MPI_COMM_WORLD); }
    if (me == 1) { later(); MPI_Recv(&token[0], 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE); if (place > 8) sum += first[place]; MPI_Recv(&token[0], 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }' 2 '7 8 9' 10
  clean 'MPI_Request r[60]; int tokens[60]; MPI_Status s; if (me == 0) for (int i = 0; i < 60; i++) { mine[i] = i; MPI_Send(&i, 1, MPI_INT, 1, i % 3, MPI_COMM_WORLD); }
    if (me == 1) { for (int i = 0; i < 60; i++) MPI_Irecv(&tokens[i], 1, MPI_INT, i % 4 == 0 ? MPI_ANY_SOURCE : 0, i % 5 == 0 ? MPI_ANY_TAG : i % 3, MPI_COMM_WORLD, &r[i]);
      for (int i = 59; i >= 0; i--) { MPI_Wait(&r[i], &s); sum += first[tokens[i]]; } }'
}
# A worker's usual loop: whoever answers first.
answers_of_any_worker_are_told_apart() {
  told 'int answer = 0; MPI_Request r; MPI_Status s; MPI_Recv_init(&answer, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &r);
    if (me != 0) for (int i = 0; i < 20; i++) { mine[i] = i; MPI_Send(&i, 1, MPI_INT, 0, i % 2, MPI_COMM_WORLD); }
    if (me == 0) for (int i = 0; i < 20 * (n - 1); i++) { int *its; if (i == 0) later(); MPI_Start(&r); MPI_Wait(&r, &s); MPI_Win_shared_query(win, s.MPI_SOURCE, &bytes, &unit, &its); sum += its[answer]; if (place == 8 && i == 2) sum += its[19]; }
    MPI_Request_free(&r);' 4
}
receives_that_are_cancelled_take_no_message() {
  first_of_two 'MPI_Irecv(token, 1, MPI_INT, 0, 9, MPI_COMM_WORLD, &r[1]); MPI_Cancel(&r[1]); MPI_Wait(&r[1], MPI_STATUS_IGNORE); MPI_Recv(token, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, s)'
  first_of_two 'MPI_Wait(&r[1], MPI_STATUS_IGNORE); MPI_Recv(token, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, s)' '' \
    'if (me == 1) { MPI_Irecv(token, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, &r[1]); MPI_Cancel(&r[1]); } MPI_Barrier(MPI_COMM_WORLD);'
  # Nobody knows whether it was too late to cancel it until it is complete.
  first_of_two 'MPI_Cancel(&r[1]); MPI_Wait(&r[1], s); MPI_Test_cancelled(s, &flag); if (flag) MPI_Recv(token, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, s)' '' \
    'if (me == 1) MPI_Irecv(token, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, &r[1]); MPI_Barrier(MPI_COMM_WORLD);'
  firsts_are_told
}
requests_that_are_freed_count() {
  first_of_two 'MPI_Irecv(&token[1], 1, MPI_INT, 0, 6, MPI_COMM_WORLD, &r[1]); MPI_Request_free(&r[1]); MPI_Recv(token, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, s)' \
    'MPI_Isend(&me, 1, MPI_INT, 1, 5, MPI_COMM_WORLD, &q); MPI_Request_free(&q)' 'if (me == 0) MPI_Send(&me, 1, MPI_INT, 1, 6, MPI_COMM_WORLD);'
  first_of_two 'MPI_Recv(token, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, s)' '' \
    'if (me == 0) MPI_Send(&me, 1, MPI_INT, 1, 5, MPI_COMM_WORLD); if (me == 1) { MPI_Irecv(&token[1], 1, MPI_INT, 0, 5, MPI_COMM_WORLD, &r[1]); MPI_Request_free(&r[1]); }'
  firsts_are_told
}
communicators_may_be_freed_before_their_requests_are_complete() {
  first_of_two 'MPI_Wait(&r[1], s)' 'MPI_Isend(&me, 1, MPI_INT, 1, 5, *to, &q); MPI_Wait(&q, s)' \
    'MPI_Comm copy, *to = &copy; (void)to; MPI_Comm_dup(MPI_COMM_WORLD, &copy); if (me == 1) { MPI_Irecv(token, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, copy, &r[1]); MPI_Irecv(&token[1], 1, MPI_INT, 0, 5, copy, &r[0]); MPI_Comm_free(&copy); }' \
    'MPI_Wait(&r[0], s)'
  first_of_two 'MPI_Start(&r[0]); MPI_Wait(&r[0], s)' 'MPI_Start(&q); MPI_Wait(&q, s)' \
    'MPI_Comm copy; MPI_Comm_dup(MPI_COMM_WORLD, &copy); MPI_Recv_init(token, 1, MPI_INT, me == 1 ? 0 : MPI_PROC_NULL, 5, copy, &r[0]); MPI_Send_init(&me, 1, MPI_INT, me == 0 ? 1 : MPI_PROC_NULL, 5, copy, &q);
      MPI_Comm_free(&copy);' 'MPI_Start(&r[0]); MPI_Wait(&r[0], s)'
  firsts_are_told
}
# Its message to itself has a tag of its own: with the same, the MPI may receive that one first, as MPICH 4.0 does, whose status then has source and tag 0.
an_exchange_that_is_completed_later_is_told_apart() {
  with_routine MPI_Isendrecv
  first_of_two 'MPI_Isendrecv(&me, 1, MPI_INT, 1, 4, token, 1, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &r[1]); MPI_Wait(&r[1], s)' 'MPI_Isendrecv(&me, 1, MPI_INT, 1, 5, token, 1, MPI_INT, MPI_PROC_NULL, 5, MPI_COMM_WORLD, &r[1]); MPI_Wait(&r[1], s)' '' \
    'for (int i = 4; i < 6; i++) MPI_Recv(token, 1, MPI_INT, MPI_ANY_SOURCE, i, MPI_COMM_WORLD, s)'
  first_of_two 'MPI_Isendrecv_replace(token, 1, MPI_INT, 0, 4, 0, 5, MPI_COMM_WORLD, &r[1]); MPI_Wait(&r[1], s)' '' '' \
    'MPI_Recv(token, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, s); } if (me == 0) { MPI_Recv(token, 1, MPI_INT, 1, 4, MPI_COMM_WORLD, s)'
  firsts_are_told
}
an_exchange_in_place_is_told_apart() {
  first_of_two 'MPI_Sendrecv_replace(token, 1, MPI_INT, 0, 4, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE)' '' '' \
    'MPI_Recv(token, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, s); } if (me == 0) { MPI_Recv(token, 1, MPI_INT, 1, 4, MPI_COMM_WORLD, s)'
  firsts_are_told
}
# Each part is given by itself, here by other calls; the receive takes all of them, and none of the next round.
partitioned_messages_are_told_apart() {
  with_routine MPI_Psend_init
  local each
  for each in 'MPI_Pready(0, q); MPI_Pready(1, q)' 'MPI_Pready_range(0, 1, q)' 'MPI_Pready_list(2, (int[]){1, 0}, q)'; do
    bodies+=('MPI_Request q = MPI_REQUEST_NULL, r[2]; int token[2] = {0}, flag = 0; (void)flag, (void)r;
      if (me == 0) MPI_Psend_init(token, 2, 1, MPI_INT, 1, 5, MPI_COMM_WORLD, MPI_INFO_NULL, &q); if (me == 1) MPI_Precv_init(token, 2, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_INFO_NULL, &q);
      if (me == 0) { MPI_Start(&q); mine[7] = 1; '"$each"'; MPI_Wait(&q, MPI_STATUS_IGNORE); MPI_Start(&q); mine[8] = 1; '"$each"'; MPI_Wait(&q, MPI_STATUS_IGNORE); }
      if (me == 1) { later(); MPI_Start(&q); if (place == 9) { while (!flag) MPI_Parrived(q, 1, &flag); sum += first[7]; } MPI_Wait(&q, MPI_STATUS_IGNORE); sum += first[place % 9]; MPI_Start(&q); MPI_Wait(&q, MPI_STATUS_IGNORE); sum += first[8]; }
      if (q != MPI_REQUEST_NULL) MPI_Request_free(&q);')
  done
  told_all 2 '7 9' 8 "${bodies[@]}"
}
nobody_and_oneself_may_be_the_other_side() {
  clean 'MPI_Request r[6]; MPI_Status s[6]; int token[6] = {0}, at, flag; mine[7] = me;
    MPI_Recv_init(&token[0], 1, MPI_INT, MPI_PROC_NULL, 5, MPI_COMM_WORLD, &r[0]); MPI_Send_init(&me, 1, MPI_INT, MPI_PROC_NULL, 5, MPI_COMM_WORLD, &r[1]);
    MPI_Recv_init(&token[1], 1, MPI_INT, me, 5, MPI_COMM_WORLD, &r[2]); MPI_Send_init(&me, 1, MPI_INT, me, 5, MPI_COMM_WORLD, &r[3]);
    for (int i = 0; i < 20; i++) { MPI_Startall(4, r); MPI_Irecv(&token[2], 0, MPI_INT, MPI_ANY_SOURCE, 6, MPI_COMM_SELF, &r[4]); MPI_Isend(NULL, 0, MPI_INT, 0, 6, MPI_COMM_SELF, &r[5]); MPI_Waitall(6, r, i % 2 ? s : MPI_STATUSES_IGNORE); }
    MPI_Testany(6, r, &at, &flag, s); for (int i = 0; i < 4; i++) MPI_Request_free(&r[i]);
    MPI_Sendrecv(&me, 1, MPI_INT, (me + n - 1) % n, 5, token, 1, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE); sum += next[7];' 3
}
a_message_that_is_cut_off_orders() {
  clean 'int token[2] = {0}, code; MPI_Request r; MPI_Status s; MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (me == 0) for (int i = 7; i < 11; i++) { mine[i] = 1; MPI_Send(token, i == 10 ? 1 : 2, MPI_INT, 1, 5, MPI_COMM_WORLD); }
    if (me == 1) { code = MPI_Recv(token, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE); sum += first[7] + code; MPI_Irecv(token, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, &r); code = MPI_Wait(&r, &s); sum += first[8];
      MPI_Irecv(token, 1, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &r); code = MPI_Waitall(1, &r, MPI_STATUSES_IGNORE); sum += first[9]; MPI_Recv(token, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE); sum += first[10]; }'
}
messages_of_an_intercommunicator_are_told_apart() {
  local split='MPI_Comm half, inter; MPI_Comm_split(MPI_COMM_WORLD, me % 2, me, &half); MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - me % 2, 3, &inter); MPI_Barrier(MPI_COMM_WORLD);'
  told "$split"'MPI_Request r; MPI_Status s; int token = 0;
    if (me == 0) { mine[7] = 1; MPI_Send(&me, 1, MPI_INT, 0, 5, inter); mine[8] = 1; MPI_Send(&me, 1, MPI_INT, 0, 5, inter); MPI_Send(&me, 1, MPI_INT, 1, 5, inter); }
    if (me == 1) { later(); MPI_Irecv(&token, 1, MPI_INT, MPI_ANY_SOURCE, 5, inter, &r); MPI_Wait(&r, &s); sum += first[place]; MPI_Recv(&token, 1, MPI_INT, 0, 5, inter, &s); }
    if (me == 3) { MPI_Recv(&token, 1, MPI_INT, 0, 5, inter, &s); sum += first[7]; }
    MPI_Comm_free(&half); MPI_Comm_free(&inter);' 4
}

random_messages_and_collectives_are_told_apart() {
  local seed
  cp "$SOURCE_TREE/tests/race/random_messages.c" "$scratch/p.c"
  for flavour in $FLAVOURS; do
    compile "$flavour" -O1 -w
    for seed in 1 2 3 $RANDOM; do
      expect_status 0 start "$flavour" $((2 + seed % 3)) "$scratch/p" $seed 40
      is_silent
      expect_status 66 start "$flavour" $((2 + seed % 3)) "$scratch/p" $seed 12 racy
    done
  done
}

# The first of two messages, received in the way that the first argument says.
function write_fortran { # USE
  local handle=integer statuses='integer, dimension(MPI_STATUS_SIZE, 2)' status='integer, dimension(MPI_STATUS_SIZE)' source='one(MPI_SOURCE)' module="use $1" header=
  [ "$1" != mpi_f08 ] || { handle='type(MPI_Request)' statuses='type(MPI_Status), dimension(2)' status='type(MPI_Status)' source='one%MPI_SOURCE'; }
  [ "$1" != mpif.h ] || { module='' header="include 'mpif.h'"; }
  cat >"$scratch/p.f90" <<END
program p
  use, intrinsic :: iso_c_binding
  $module
  implicit none
  $header
  $([ "$1" = mpi_f08 ] && echo 'type(MPI_Win)' || echo integer) :: win
  $handle :: r(2)
  $status :: one
  $statuses :: both
  type(c_ptr) :: base
  integer, pointer, asynchronous :: mine(:), first(:)
  integer :: me, ierror, unit, way, place, at, count, places(2), seen = 0
  integer, asynchronous :: token(2) = 0
  integer(MPI_ADDRESS_KIND) :: bytes, address
  double precision :: end
  logical :: flag
  character(10) :: text
  call get_command_argument(1, text); read(text, *) way
  call get_command_argument(2, text); read(text, *) place
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, me, ierror)
  bytes = 400
  call MPI_Win_allocate_shared(bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, $([ "$1" = mpif.h ] && echo address || echo base), win, ierror)
  $([ "$1" != mpif.h ] || echo 'base = transfer(address, base)')
  call c_f_pointer(base, mine, [100])
  call MPI_Win_shared_query(win, 0, bytes, unit, $([ "$1" = mpif.h ] && echo address || echo base), ierror)
  $([ "$1" != mpif.h ] || echo 'base = transfer(address, base)')
  call c_f_pointer(base, first, [100])
  r = MPI_REQUEST_NULL
  call MPI_Win_fence(0, win, ierror)
  if (me == 0) then
    mine(7) = 1
    call MPI_Send(me, 1, MPI_INTEGER, 1, 5, MPI_COMM_WORLD, ierror)
    mine(8) = 1
    call MPI_Send(me, 1, MPI_INTEGER, 1, 5, MPI_COMM_WORLD, ierror)
  else
    end = MPI_Wtime() + 0.2
    do while (MPI_Wtime() < end)
    end do
    select case (way)
    case (1)
      call MPI_Recv(token(1), 1, MPI_INTEGER, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
    case (2)
      call MPI_Irecv(token(1), 1, MPI_INTEGER, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, r(2), ierror)
      call MPI_Waitany(2, r, at, MPI_STATUS_IGNORE, ierror)
      if (at /= 2) stop 3
    case (3)
      call MPI_Recv_init(token(1), 1, MPI_INTEGER, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, r(1), ierror)
      call MPI_Startall(1, r, ierror)
      call MPI_Waitall(2, r, MPI_STATUSES_IGNORE, ierror)
      call MPI_Request_free(r(1), ierror)
    case (4)
      call MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, one, ierror)
      if ($source /= 0) stop 5
      seen = seen + first(place)
      call MPI_Recv(token(1), 1, MPI_INTEGER, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, one, ierror)
      if ($source /= 0) stop 6
    case (5)
      call MPI_Irecv(token(1), 1, MPI_INTEGER, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, r(1), ierror)
      flag = .false.
      do while (.not. flag)
        call MPI_Testall(2, r, flag, both, ierror)
      end do
    case (6)
      call MPI_Irecv(token(1), 1, MPI_INTEGER, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, r(2), ierror)
      call MPI_Waitsome(2, r, count, places, MPI_STATUSES_IGNORE, ierror)
      if (count /= 1 .or. places(1) /= 2) stop 7
    end select
    seen = seen + first(place)
    call MPI_Recv(token(1), 1, MPI_INTEGER, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
  end if
  call MPI_Win_fence(0, win, ierror)
  if (seen == -1) print *, seen
  call MPI_Win_free(win, ierror)
  call MPI_Finalize(ierror)
end program
END
}
function wildcards_of_fortran { # USE
  [ -n "${FORTRAN:-}" ] || skip "this MPI has no Fortran bindings"
  local way tried=
  write_fortran "$1"
  for flavour in $FORTRAN; do
    "mpifort.$flavour" -g "$scratch/p.f90" -o "$scratch/p" $("$BUILD_TREE/bin/oshfort" --showme:race=mpi-"$flavour") 2>"$scratch/err" || {
      grep -q 'Cannot open module\|not a GNU Fortran module' "$scratch/err" && continue # the package has it for another compiler
      complain "it does not compile: $(cat "$scratch/err")"
    }
    tried=yes
    for way in 1 2 3 4 5 6; do
      case "$1 $flavour $way" in 'mpi_f08 mpich '[26]) continue ;; esac # MPICH 4.0 says another place there, with and without the check
      expect_status 0 start "$flavour" 2 "$scratch/p" $way 7
      is_silent
      expect_status 66 start "$flavour" 2 "$scratch/p" $way 8
      says 'race: rank [01] (loads|stores) 4 bytes that rank [01] (loads|stores): p.f90:[0-9]+ and p.f90:[0-9]+'
    done
  done
  [ -n "$tried" ] || skip "this MPI has no $1 for this compiler"
}
wildcards_of_mpif_h_are_told_apart() { wildcards_of_fortran mpif.h; }
wildcards_of_use_mpi_are_told_apart() { wildcards_of_fortran mpi; }
wildcards_of_mpi_f08_are_told_apart() { wildcards_of_fortran mpi_f08; }
