# What the report of a run says of the limits of the check that the run has met: races that may have been missed. Ranks that share a window of MPI, with each
# MPI of $FLAVOURS.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2016,SC2046,SC2317
. "$SOURCE_TREE/tests/race/window_programs.sh"

# The report of a run without a race, and each of its limits once, with the call that met it.
function limit { # TEXT BODY
  write_programs "$2"
  for flavour in $FLAVOURS; do
    compile "$flavour" -O1
    ATRIUM_QUIET=0 expect_status 0 start "$flavour" 2 "$scratch/p"
    says '^atrium: race check: no race was seen$'
    expect [ "$(grep -c '^  limit ' "$scratch/err")" = "$([ -n "$1" ] && echo 1 || echo 0)" ]
    [ -z "$1" ] || says "^  limit  $1; .*: races with what the sender did behind the message may be missed$"
  done
}
a_run_without_a_limit_says_none() {
  limit '' 'int token = 0; if (me == 0) MPI_Send(&me, 1, MPI_INT, 1, 5, MPI_COMM_WORLD); if (me == 1) MPI_Recv(&token, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);'
}
more_messages_than_have_a_place() {
  limit 'more than 1,024 messages were under way to a rank, first by MPI_Send, p.c:[0-9]+' 'int token = 0;
    if (me == 0) { for (int i = 0; i < 1100; i++) { mine[i % 90] = 1; MPI_Send(&me, 1, MPI_INT, 1, 5, MPI_COMM_WORLD); } MPI_Send(&me, 1, MPI_INT, 1, 6, MPI_COMM_WORLD); }
    if (me == 1) { MPI_Recv(&token, 1, MPI_INT, 0, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE); for (int i = 0; i < 1100; i++) { MPI_Recv(&token, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE); sum += first[i % 90]; } }'
}
a_receive_behind_one_that_is_open() {
  limit 'a receive was complete before an earlier one that might have taken its message, for any rank or tag or perhaps cancelled, first by MPI_Wait, p.c:[0-9]+' 'MPI_Request r[2]; int token[2];
    if (me == 0) for (int i = 7; i < 9; i++) { mine[i] = 1; MPI_Send(&me, 1, MPI_INT, 1, 5, MPI_COMM_WORLD); }
    if (me == 1) { MPI_Irecv(&token[0], 1, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &r[0]); MPI_Irecv(&token[1], 1, MPI_INT, 0, 5, MPI_COMM_WORLD, &r[1]); MPI_Wait(&r[1], MPI_STATUS_IGNORE); sum += first[8]; MPI_Wait(&r[0], MPI_STATUS_IGNORE); }'
}
a_call_that_failed() {
  limit 'a call of the MPI failed, first by MPI_Recv, p.c:[0-9]+' 'int token[2] = {0}; MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (me == 0) { mine[7] = 1; MPI_Send(token, 2, MPI_INT, 1, 5, MPI_COMM_WORLD); } if (me == 1) { MPI_Recv(token, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE); sum += first[7]; }'
}
# Whether it is cancelled or not: no less is ordered for the messages of that tag, and others are told apart as before.
a_send_that_is_cancelled() {
  local cancel='MPI_Request r; MPI_Status s; int token = 0; static char large[1 << 20]; (void)r, (void)s;
    if (me == 0) { mine[6] = 1; MPI_Isend(large, sizeof large, MPI_CHAR, 1, 9, MPI_COMM_WORLD, &r); MPI_Cancel(&r); mine[7] = 1; MPI_Send(large, 1, MPI_CHAR, 1, 9, MPI_COMM_WORLD);
      int is = 0; MPI_Wait(&r, &s); MPI_Test_cancelled(&s, &is); mine[5] = 1; MPI_Send(&is, 1, MPI_INT, 1, 8, MPI_COMM_WORLD); }
    if (me == 1) { MPI_Recv(large, sizeof large, MPI_CHAR, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE); sum += first[6];'
  local rest='MPI_Recv(&token, 1, MPI_INT, 0, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE); sum += first[5] + first[7]; if (!token) MPI_Recv(large, sizeof large, MPI_CHAR, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }'
  limit 'a send was cancelled, first by MPI_Cancel, p.c:[0-9]+' "$cancel $rest"
}
messages_of_other_tags_are_told_apart_behind_a_send_that_was_cancelled() {
  told 'MPI_Request r; int token = 0; if (me == 0) { MPI_Isend(&me, 1, MPI_INT, 1, 9, MPI_COMM_WORLD, &r); MPI_Cancel(&r); MPI_Wait(&r, MPI_STATUS_IGNORE);
      mine[7] = 1; MPI_Send(&me, 1, MPI_INT, 1, 5, MPI_COMM_WORLD); mine[8] = 1; MPI_Send(&me, 1, MPI_INT, 1, 5, MPI_COMM_WORLD); MPI_Barrier(MPI_COMM_WORLD); }
    if (me == 1) { later(); MPI_Recv(&token, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE); sum += first[place]; MPI_Recv(&token, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Barrier(MPI_COMM_WORLD); int there = 0; MPI_Iprobe(0, 9, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE); if (there) MPI_Recv(&token, 1, MPI_INT, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }' 2
}
# Messages that may overtake each other have no numbers: what one orders, each of that tag does. No message of a communicator is under way
# while it gets the hint: Open MPI 4.1 would not find it.
overtaking='first by MPI_Send, p.c:[0-9]+'
function of_hints { # HOW: makes comm
  local body="MPI_Info info; MPI_Comm comm; int token; MPI_Info_create(&info); MPI_Info_set(info, \"mpi_assert_allow_overtaking\", \"true\"); $1
    if (me == 0) { mine[7] = 1; MPI_Send(&me, 1, MPI_INT, 1, 5, comm); mine[8] = 1; MPI_Send(&me, 1, MPI_INT, 1, 5, comm); MPI_Barrier(MPI_COMM_WORLD); }
    if (me == 1) { MPI_Barrier(MPI_COMM_WORLD); MPI_Recv(&token, 1, MPI_INT, 0, 5, comm, MPI_STATUS_IGNORE); sum += first[8]; MPI_Recv(&token, 1, MPI_INT, 0, 5, comm, MPI_STATUS_IGNORE); }"
  limit "messages of a communicator may overtake each other, by its hint mpi_assert_allow_overtaking, ${2:-$overtaking}" "$body"
}
a_communicator_that_is_told_to_let_messages_overtake() { of_hints 'MPI_Comm_dup(MPI_COMM_WORLD, &comm); MPI_Comm_set_info(comm, info); MPI_Barrier(MPI_COMM_WORLD);'; }
a_communicator_that_is_made_with_that_hint() { of_hints 'MPI_Comm_dup_with_info(MPI_COMM_WORLD, info, &comm);'; }
a_copy_of_one_that_has_that_hint() { of_hints 'MPI_Comm of; MPI_Comm_dup(MPI_COMM_WORLD, &of); MPI_Comm_set_info(of, info); MPI_Barrier(MPI_COMM_WORLD); MPI_Comm_dup(of, &comm);'; }
another_hint_is_no_limit() {
  limit '' 'MPI_Info info; int token = 0; MPI_Info_create(&info); MPI_Info_set(info, "mpi_assert_no_any_tag", "true"); MPI_Info_set(info, "mpi_assert_allow_overtaking", "false");
    MPI_Comm_set_info(MPI_COMM_WORLD, info); if (me == 0) MPI_Send(&me, 1, MPI_INT, 1, 5, MPI_COMM_WORLD); if (me == 1) MPI_Recv(&token, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);'
}
# Behind races they are said, too, and once, however often they were met and by how many ranks.
limits_are_said_behind_races() {
  write_programs 'int token[2] = {0}; MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN); mine[7] = 1; sum += next[7];
    for (int i = 0; i < 3; i++) { MPI_Send(token, 2, MPI_INT, 1 - me, 5, MPI_COMM_WORLD); MPI_Recv(token, 1, MPI_INT, 1 - me, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }'
  for flavour in $FLAVOURS; do
    compile "$flavour" -O1
    expect_status 66 start "$flavour" 2 "$scratch/p"
    expect [ "$(grep -c '^  limit  a call of the MPI failed' "$scratch/err")" = 1 ]
  done
}
